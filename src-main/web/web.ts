import type { Dispatcher } from 'undici'
import { fail, ok, type Result } from '../base/result'
import { guardedAgent, type Resolver } from './connect'
import { download } from './download'
import { readmesOf } from './github'
import type { Web, WebPage } from './port'

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

interface WholePage {
  readonly title: string
  readonly text: string
  readonly readAt: number
}

/** Reads public pages as Markdown, a page of 8 KB at a time; the whole text is kept for 15 minutes for paging. */
export function createWeb(options: WebOptions): Web {
  const agent = guardedAgent(options.allowPrivate, options.resolve)
  const pages = new Map<string, WholePage>()

  async function whole(url: string, signal: AbortSignal): Promise<Result<WholePage>> {
    const kept = pages.get(url)
    if (kept && Date.now() - kept.readAt < keepMs) return ok(kept)
    const read = await readWhole(url, options, agent, signal)
    if (!read.ok) return read
    pages.delete(url)
    pages.set(url, read.value)
    const oldest = pages.keys().next().value
    if (pages.size > keepPages && oldest !== undefined) pages.delete(oldest)
    return read
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

async function readWhole(
  url: string,
  options: WebOptions,
  agent: Dispatcher,
  signal: AbortSignal
): Promise<Result<WholePage>> {
  const allowed = options.allowPrivate()
  const get = (address: string) => download(options.rewrite?.(address) ?? address, allowed, agent, signal)
  for (const readme of readmesOf(url)) {
    const found = await get(readme)
    if (found.ok) return ok({ title: `README of ${url}`, text: found.value.text, readAt: Date.now() })
    if (found.error.code !== 'http_status') break
  }
  const page = await get(url)
  if (!page.ok) return page
  const isHtml = /html/i.test(page.value.type) || /^\s*<(!doctype html|html)/i.test(page.value.text)
  if (!isHtml) return ok({ title: url, text: page.value.text, readAt: Date.now() })
  // The parser of pages is large, and the app starts without it.
  const { readable } = await import('./readable')
  const { title, markdown } = readable(page.value.text)
  return ok({ title: title || url, text: markdown, readAt: Date.now() })
}
