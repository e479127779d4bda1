import { isIP } from 'node:net'
import { fail, ok, type Result } from '../base/result'
import { isAllowedPrivate } from './addresses'

const privateNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|intranet|corp|home)\.?$/i

/** Host of a URL without the brackets of an IPv6 address and without a final dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Port of a URL, the scheme's own when none is written. */
export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)

/** Checks what can be checked before a name is resolved: scheme, length, user info, port, private names. */
export function checkUrl(text: string, allowed: readonly string[]): Result<URL> {
  if (text.length > 2048 || /[\u0000-\u0020\u007f]/.test(text))
    return refused('it is too long or contains spaces or control characters')
  if (!URL.canParse(text)) return refused('it is not an absolute URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused(`only http and https are read, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '') return refused('it contains a user name or password')
  const host = hostOf(url)
  if (host === '' || host.length > 253) return refused('its host name is empty or too long')
  if (isAllowedPrivate(allowed, host, portOf(url))) return ok(url)
  if (url.port !== '') return refused(`port ${url.port} is not a web page's`)
  if (/(^|\.)xn--/.test(host)) return refused('its host name uses look-alike (internationalised) letters')
  if (isIP(host) === 0 && (!host.includes('.') || privateNames.test(host)))
    return fail('address_blocked', `${host} is a private name.`, allowHint)
  return ok(url)
}

export const allowHint =
  'Only public addresses are read. The operator can allow a private one under webFetch.allowPrivate in the settings.'

const refused = (why: string) => fail('url_refused', `The URL was refused: ${why}.`)
