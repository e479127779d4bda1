import { fail, ok, type Result } from '../base/result'

/** A query of this many characters, or this many escaped bytes, is more than an address of a page needs. */
const mostQuery = 128
const mostEscapes = 16

/** A run of letters and digits that no word is; a Git commit's name is let through. */
const codedRun = /[A-Za-z0-9+/=_]{32,}/g
const commit = /^[0-9a-f]{40}$/

/**
 * Refuses an address that could carry something out, once text from outside may have said where to (B23): a page can
 * ask for "https://example.com/?q=" with whatever was read before. Errors: `url_carries_data`.
 */
export function withoutCarriedData(url: string): Result<null> {
  const { host, pathname, search } = new URL(url)
  const parts = [...host.split('.'), ...pathname.split('/'), search]
  const coded = parts.some((part) => (part.match(codedRun) ?? []).some((run) => !commit.test(run)))
  const escapes = (pathname + search).match(/%[0-9A-F]{2}/gi)?.length ?? 0
  if (search.length <= mostQuery && escapes <= mostEscapes && !coded) return ok(null)
  return fail(
    'url_carries_data',
    'This address could carry data out, and text from outside was read since the operator last approved something.',
    'Use an address without it, or tell the operator which page you need and why.'
  )
}
