import { fail, ok, type Result } from '../base/result'
import type { Resolver } from './connect'
import type { Web, WebPage } from './port'
import type { PageReader } from './reader'

const pageChars = 8 * 1024
const keepMs = 15 * 60_000
const keepPages = 32

export interface WebOptions {
  /** Private addresses that the operator allows, `host:port`. */
  readonly allowPrivate: () => readonly string[]
  /** Lets the lab serve pages of the internet by itself; null leaves the address as it is. */
  readonly rewrite?: (url: string) => string | null
  readonly resolve?: Resolver
}

export interface WholePage {
  readonly title: string
  readonly text: string
  readonly readAt: number
}

/** Reads public pages as Markdown, a page of 8 KB at a time; the whole text is kept for 15 minutes for paging. */
export function createWeb(options: WebOptions): Web {
  const pages = new Map<string, WholePage>()
  let reader: PageReader | null = null

  /** The client and the parser of pages are large, and the app starts without them. */
  async function read(url: string, signal: AbortSignal): Promise<Result<WholePage>> {
    const { createPageReader } = await import('./reader')
    reader ??= createPageReader(options)
    return await reader(url, signal)
  }

  async function whole(url: string, signal: AbortSignal): Promise<Result<WholePage>> {
    const kept = pages.get(url)
    if (kept && Date.now() - kept.readAt < keepMs) return ok(kept)
    const page = await read(url, signal)
    if (!page.ok) return page
    pages.delete(url)
    pages.set(url, page.value)
    const oldest = pages.keys().next().value
    if (pages.size > keepPages && oldest !== undefined) pages.delete(oldest)
    return page
  }

  return {
    async fetch(url, offset, signal): Promise<Result<WebPage>> {
      const page = await whole(url.trim(), signal)
      if (!page.ok) return page
      const { title, text } = page.value
      if (offset > text.length)
        return fail(
          'offset_beyond_end',
          `The page has ${text.length} characters; offset ${offset} is beyond its end.`
        )
      const end = offset + pageChars
      return ok({
        url,
        title,
        text: text.slice(offset, end),
        offset,
        nextOffset: end < text.length ? end : null,
        totalChars: text.length
      })
    }
  }
}
