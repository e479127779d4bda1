import { fail, ok, type Result } from '../base/result'

const longest = 2048
// Anything that does not print, and blanks: what is shown must be what is opened.
const unprintable = /[\p{C}\p{Z}]/u

/**
 * Lets web addresses through that look like what they are: http or https, no name or password before the host, no
 * host in look-alike letters. Errors: `url_refused`.
 */
export function checkExternalUrl(text: string): Result<string> {
  if (text.length > longest) return refuse('it is too long')
  if (unprintable.test(text)) return refuse('it contains blanks or invisible characters')
  if (!URL.canParse(text)) return refuse('it is no complete web address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('only http and https are opened')
  if (url.username !== '' || url.password !== '' || /^https?:[/\\]*[^/?#\\]*@/i.test(text))
    return refuse('it hides its host behind a user name')
  if (text.includes('\\')) return refuse('it contains a backslash')
  if (url.hostname.split('.').some((label) => label.startsWith('xn--')))
    return refuse('its host is written in letters that may look like others')
  return ok(url.href)
}

const refuse = (why: string) =>
  fail(
    'url_refused',
    `This address was not opened: ${why}.`,
    'Copy it and look at it closely before you open it.'
  )
