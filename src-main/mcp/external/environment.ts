import { secretRefSchema } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Secrets } from '../../secrets/port'

/** What programs need to find other programs, the operator's folders and the language; no more is handed on. */
const handedOn =
  process.platform === 'win32'
    ? [
        'PATH',
        'PATHEXT',
        'SYSTEMROOT',
        'SYSTEMDRIVE',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
        'APPDATA',
        'LOCALAPPDATA'
      ]
    : ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ']

/**
 * The environment of an external server: the few variables above, then those of its configuration.
 * A value such as `keychain:NAME` is replaced by that secret. Errors: `secret_missing`, `keychain_unavailable`.
 */
export async function environmentFor(
  configured: Readonly<Record<string, string>>,
  own: NodeJS.ProcessEnv,
  secrets: Secrets
): Promise<Result<Record<string, string>>> {
  const env: Record<string, string> = {}
  for (const name of handedOn) {
    const value = own[name]
    if (value !== undefined) env[name] = value
  }
  for (const [name, value] of Object.entries(configured)) {
    if (!secretRefSchema.safeParse(value).success) {
      env[name] = value
      continue
    }
    const secret = await secrets.resolve(value)
    if (!secret.ok) return secret
    env[name] = secret.value
  }
  return ok(env)
}
