import { fetch, type Dispatcher, type Response } from 'undici'
import { fail, messageOf, ok, type Result } from '../base/result'
import { AddressBlocked } from './connect'
import { allowHint, checkUrl } from './url'

export interface Download {
  readonly url: string
  readonly type: string
  readonly text: string
}

const maxRedirects = 5
const maxBytes = 2 * 1024 * 1024
const totalMs = 20_000
const textTypes = /^(text\/|application\/(json|xml|xhtml\+xml|[a-z0-9.-]+\+(json|xml)))/i

/** Reads one page as text, following at most five redirects, each checked like the first address. */
export async function download(
  address: string,
  allowed: readonly string[],
  dispatcher: Dispatcher,
  signal: AbortSignal
): Promise<Result<Download>> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalMs)])
  let next = address
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const url = checkUrl(next, allowed)
    if (!url.ok) return url
    try {
      const response = await fetch(url.value.href, {
        dispatcher,
        signal: deadline,
        redirect: 'manual',
        headers: { 'user-agent': 'Nomos (web_fetch)', accept: 'text/html, text/*, application/json;q=0.9' }
      })
      const location =
        response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
      if (location === null) return await readText(url.value.href, response)
      await response.body?.cancel()
      const target = URL.canParse(location, url.value.href) ? new URL(location, url.value) : null
      if (!target || (url.value.protocol === 'https:' && target.protocol === 'http:'))
        return fail('url_refused', 'The page redirects to an address that is not read.')
      next = target.href
    } catch (error) {
      return failureOf(error, signal)
    }
  }
  return fail('too_many_redirects', `The page redirects more than ${maxRedirects} times.`)
}

async function readText(url: string, response: Response): Promise<Result<Download>> {
  if (!response.ok) {
    await response.body?.cancel()
    return fail('http_status', `The server answered ${response.status} ${response.statusText}.`.trim())
  }
  const type = response.headers.get('content-type') ?? 'text/plain'
  if (!textTypes.test(type)) {
    await response.body?.cancel()
    return fail('not_text', `The address gives ${type.split(';')[0]}, which cannot be read as text.`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    // Counted after decompression: a small compressed body can unpack to anything.
    if (size > maxBytes) return fail('too_large', 'The page is larger than 2 MB.')
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (bytes.subarray(0, 4096).includes(0)) return fail('not_text', 'The address gives binary data.')
  return ok({ url, type, text: decode(bytes, type) })
}

function decode(bytes: Buffer, type: string): string {
  const named =
    /charset=["']?([\w.:-]+)/i.exec(type)?.[1] ??
    /<meta[^>]+charset=["']?([\w.:-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function failureOf(error: unknown, signal: AbortSignal): Result<never> {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressBlocked) return fail('address_blocked', `${cause.message}.`, allowHint)
  if (signal.aborted) return fail('aborted', 'Stopped before the page was read.')
  if (error instanceof Error && (error.name === 'TimeoutError' || /timeout/i.test(messageOf(error.cause))))
    return fail('fetch_timeout', 'The server did not answer in time.')
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (/ENOTFOUND|EAI_AGAIN/.test(messageOf(reason)))
    return fail(
      'fetch_failed',
      'The name of this server is not known.',
      'Check the address; where it was guessed, ask the operator for the right one.'
    )
  return fail('fetch_failed', `The page could not be read: ${messageOf(reason)}.`)
}
