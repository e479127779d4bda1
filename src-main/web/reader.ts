import { ok, type Result } from '../base/result'
import { guardedAgent } from './connect'
import { download } from './download'
import { readmesOf } from './github'
import { readable } from './readable'
import type { WebOptions, WholePage } from './web'

/** Reads whole pages over one guarded client: a repository's README for its page, HTML as Markdown, all else as it is. */
export function createPageReader(options: WebOptions) {
  const agent = guardedAgent(options.allowPrivate, options.resolve)

  return async (url: string, signal: AbortSignal): Promise<Result<WholePage>> => {
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
    const { title, markdown } = readable(page.value.text)
    return ok({ title: title || url, text: markdown, readAt: Date.now() })
  }
}

export type PageReader = ReturnType<typeof createPageReader>
