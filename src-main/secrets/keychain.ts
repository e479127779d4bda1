import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

/** The OS keychain as far as it is used here; `service` keeps two homes of Nomos apart. */
export interface Keychain {
  get(name: string): Promise<string | null>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<boolean>
  names(): Promise<string[]>
}

/** The OS keychain behind keytar, loaded when it is first used: its native part may be missing. */
export async function openKeychain(home: string): Promise<Keychain> {
  const { default: keytar } = await import('keytar')
  const service = serviceOf(home)
  return {
    get: (name) => keytar.getPassword(service, name),
    set: (name, value) => keytar.setPassword(service, name, value),
    delete: (name) => keytar.deletePassword(service, name),
    names: async () => (await keytar.findCredentials(service)).map((entry) => entry.account).sort()
  }
}

const serviceOf = (home: string) =>
  `nomos-${createHash('sha256').update(resolve(home)).digest('hex').slice(0, 12)}`

/** Why the keychain cannot be used, in the operator's words. */
export function whyUnavailable(message: string): string {
  if (/D-Bus|DBus|dbus|could not connect/i.test(message))
    return 'There is no desktop session with a keychain (no D-Bus session bus). Secrets are kept for this run only.'
  if (/org\.freedesktop\.secrets|Secret Service/i.test(message))
    return 'No keychain service runs in this desktop session (such as GNOME Keyring or KWallet). Secrets are kept for this run only.'
  if (/locked|dismissed|cancel/i.test(message))
    return 'The keychain is locked. Unlock it and try again; until then secrets are kept for this run only.'
  if (/did not answer/.test(message))
    return 'The keychain did not answer; it may be waiting to be unlocked. Unlock it and try again; until then secrets are kept for this run only.'
  if (/libsecret|cannot open shared object|Cannot find (module|package)|keytar/i.test(message))
    return 'The keychain library is not installed (libsecret). Secrets are kept for this run only.'
  return `The keychain cannot be used: ${message}. Secrets are kept for this run only.`
}
