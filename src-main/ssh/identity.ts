import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AnyAuthMethod } from 'ssh2'
import type { HostConfig } from '../../src-preload/contract'
import { fail, messageOf, ok, type Result } from '../base/result'
import type { Secrets } from '../secrets/port'
import { readPrivateKey } from './private-key'

/** A way to log in. */
export interface Identity {
  readonly method: AnyAuthMethod
  /** Public key that the host has to know; null with an agent. */
  readonly publicLine: string | null
}

const maxBytes = 1024 * 1024

/** Gets the key of the host's configuration ready. Errors: `key_unreadable`, `secret_missing`, `keychain_unavailable`. */
export async function identityOf(
  host: HostConfig,
  secrets: Secrets,
  env: NodeJS.ProcessEnv
): Promise<Result<Identity>> {
  const { identity, user: username } = host
  if ('agent' in identity) {
    const agent = env.SSH_AUTH_SOCK ?? (process.platform === 'win32' ? '\\\\.\\pipe\\openssh-ssh-agent' : '')
    return agent === ''
      ? fail(
          'key_unreadable',
          `${host.name} logs in with the SSH agent, and none runs (SSH_AUTH_SOCK is not set).`,
          'Start an agent and add the key to it (ssh-add), or choose a key file.',
          { reason: 'no_agent' }
        )
      : ok({ method: { type: 'agent', username, agent }, publicLine: null })
  }
  const text =
    'keyFile' in identity
      ? readKeyFile(identity.keyFile)
      : await secrets.resolve(`keychain:${identity.keychain}`)
  if (!text.ok) return text
  const passphrase =
    identity.passphrase === undefined ? ok(undefined) : await secrets.resolve(identity.passphrase)
  if (!passphrase.ok) return passphrase
  const read = readPrivateKey(text.value, passphrase.value)
  if (!read.ok)
    return { ok: false, error: { ...read.error, message: `The key of ${host.name}: ${read.error.message}` } }
  return ok({
    method: { type: 'publickey', username, key: read.value.key },
    publicLine: read.value.publicLine
  })
}

function readKeyFile(keyFile: string): Result<string> {
  const path = keyFile.startsWith('~/') ? join(homedir(), keyFile.slice(2)) : keyFile
  try {
    // Too large for a key: enough is read to say so.
    if (statSync(path).size > maxBytes) return ok(' '.repeat(maxBytes + 1))
    return ok(readFileSync(path, 'utf8'))
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return fail(
      'key_unreadable',
      isAbsent ? `There is no file ${path}.` : `The key file ${path} cannot be read: ${messageOf(error)}.`,
      isAbsent ? 'Correct the path, paste the key, or generate a new one.' : 'Check who may read it.',
      { reason: 'file' }
    )
  }
}
