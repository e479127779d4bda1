import type { SecretCheck } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import type { Secrets } from '../secrets/port'
import { generateKey } from './key-format'
import { readPrivateKey } from './private-key'

/** A key in the keychain: the name to configure, and the line for `authorized_keys`. */
export interface KeptKey {
  readonly keychainName: string
  readonly publicKey: string
}

/** Makes and takes in keys for logging in to hosts; the private part goes straight into the keychain. */
export function createKeys(secrets: Secrets) {
  const keep = async (name: string, privateKey: string, publicKey: string): Promise<Result<KeptKey>> => {
    const state = await secrets.state()
    if (state.names.includes(name))
      return fail(
        'key_name_taken',
        `There is already a secret named "${name}". Nothing was changed.`,
        'Choose another name, or delete that secret first.',
        { name }
      )
    const kept = await secrets.set(name, privateKey)
    return kept.ok ? ok({ keychainName: name, publicKey }) : kept
  }

  return {
    /** Reads a secret and says what it is, never what it says. Errors: `secret_missing`, `keychain_unavailable`. */
    async check(name: string): Promise<Result<SecretCheck>> {
      const secret = await secrets.resolve(`keychain:${name}`)
      if (!secret.ok) return secret
      const key = readPrivateKey(secret.value)
      if (key.ok) return ok({ kind: 'key', fingerprint: key.value.fingerprint })
      const isLocked = key.error.data?.['reason'] === 'passphrase_missing'
      return ok({ kind: isLocked ? 'locked_key' : 'text', fingerprint: null })
    },
    generate(name: string): Promise<Result<KeptKey>> {
      const { privateKey, publicKey } = generateKey(`nomos-${name}`)
      return keep(name, privateKey, publicKey)
    },
    /** Checks that the key can be used, then keeps it as it was given; a passphrase is kept beside it. */
    async import(name: string, text: string, passphrase?: string): Promise<Result<KeptKey>> {
      const read = readPrivateKey(text, passphrase)
      if (!read.ok) return read
      const kept = await keep(name, text, read.value.publicLine)
      if (!kept.ok || passphrase === undefined) return kept
      const secret = await secrets.set(`${name}.passphrase`, passphrase)
      return secret.ok ? kept : secret
    }
  }
}
