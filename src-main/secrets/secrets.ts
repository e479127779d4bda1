import { secretRefSchema, type SecretsState } from '../../src-preload/contract'
import type { Logger } from '../base/log'
import { rememberSecret } from '../base/redact'
import { fail, messageOf, ok, type Result } from '../base/result'
import { openKeychain, whyUnavailable, type Keychain } from './keychain'
import type { Secrets } from './port'

export interface SecretsOptions {
  /** NOMOS_HOME: each has its own entries in the keychain. */
  readonly home: string
  readonly log: Logger
  readonly env: NodeJS.ProcessEnv
  /** How to reach the keychain; the OS's by default. */
  readonly keychain?: () => Promise<Keychain>
  /** How long an answer of the keychain may take, in ms: a locked one waits for the operator. */
  readonly patience?: number
}

/**
 * Secrets in the OS keychain. Where there is none, or it fails, they are kept in memory for this run,
 * with a reason; what is in the keychain stays there untouched.
 */
export function createSecrets(options: SecretsOptions): Secrets {
  const memory = new Map<string, string>()
  const patience = options.patience ?? 10_000
  let opened: Promise<Keychain> | null = null
  let unavailable: string | null = null

  /** Runs `use` on the keychain; null when there is none, until it is tried again. */
  async function withKeychain<T>(use: (keychain: Keychain) => Promise<T>): Promise<{ value: T } | null> {
    if (unavailable !== null) return null
    try {
      opened ??= (options.keychain ?? (() => openKeychain(options.home)))()
      return { value: await within(patience, opened.then(use)) }
    } catch (error) {
      opened = null
      unavailable ??= whyUnavailable(messageOf(error))
      options.log.log('warn', 'secrets', 'the keychain cannot be used', { reason: messageOf(error) })
      return null
    }
  }

  async function fromKeychain(name: string): Promise<Result<string>> {
    const kept = memory.get(name)
    if (kept !== undefined) return ok(kept)
    const read = await withKeychain((keychain) => keychain.get(name))
    if (read === null)
      return fail(
        'keychain_unavailable',
        `The secret "${name}" is in the keychain, which cannot be used now. ${unavailable ?? ''}`.trim(),
        `Enter "${name}" again in the settings for this run, or use env:NAME.`,
        { name }
      )
    return read.value === null
      ? fail('secret_missing', `The keychain has no secret "${name}".`, `Add "${name}" in the settings.`, {
          name
        })
      : ok(read.value)
  }

  function fromEnvironment(name: string): Result<string> {
    const value = options.env[name]
    return value === undefined || value === ''
      ? fail(
          'secret_missing',
          `The environment variable ${name} is not set.`,
          `Start Nomos with ${name} set, or keep the secret in the keychain and write keychain:NAME.`,
          { name: `env:${name}` }
        )
      : ok(value)
  }

  /** What was kept for this run only is kept for good as soon as that can be done. */
  async function moveToKeychain(): Promise<void> {
    for (const [name, value] of [...memory]) {
      if ((await withKeychain((keychain) => keychain.set(name, value))) === null) return
      memory.delete(name)
    }
  }

  async function state(): Promise<SecretsState> {
    const listed = await withKeychain((keychain) => keychain.names())
    return {
      backend: unavailable === null ? 'keychain' : 'memory',
      reason: unavailable,
      names: [...new Set([...(listed?.value ?? []), ...memory.keys()])].sort()
    }
  }

  return {
    async resolve(ref) {
      if (!secretRefSchema.safeParse(ref).success)
        return fail(
          'secret_missing',
          'A secret is named env:NAME or keychain:NAME.',
          'Correct it in the settings.'
        )
      const [kind, name] = [ref.slice(0, ref.indexOf(':')), ref.slice(ref.indexOf(':') + 1)]
      const found = kind === 'env' ? fromEnvironment(name) : await fromKeychain(name)
      if (found.ok) rememberSecret(found.value)
      return found
    },
    async set(name, value) {
      rememberSecret(value)
      // Whoever enters a secret is there to unlock the keychain.
      unavailable = null
      const stored = await withKeychain((keychain) => keychain.set(name, value))
      if (stored === null) memory.set(name, value)
      else {
        memory.delete(name)
        await moveToKeychain()
      }
      return ok(null)
    },
    async delete(name) {
      const wasKept = memory.delete(name)
      const deleted = await withKeychain((keychain) => keychain.delete(name))
      if (deleted === null && !wasKept)
        return fail(
          'keychain_unavailable',
          `"${name}" was not deleted: the keychain cannot be used now. ${unavailable ?? ''}`.trim(),
          'Delete it once the keychain works again.',
          { name }
        )
      return ok(null)
    },
    state,
    async retry() {
      unavailable = null
      await moveToKeychain()
      return await state()
    }
  }
}

/** Rejects when `work` takes longer; it may still end later, and nobody minds. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the keychain did not answer')), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
