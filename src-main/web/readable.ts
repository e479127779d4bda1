import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import Turndown from 'turndown'

export interface Readable {
  readonly title: string
  readonly markdown: string
}

const noise =
  'script,style,noscript,template,iframe,object,embed,svg,canvas,form,link,meta,[hidden],[aria-hidden="true"]'
const invisible = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])/i

/**
 * The readable part of a page as Markdown. Nothing of the page is run; what a reader would not see
 * (scripts, comments, hidden elements, characters without width) is removed, images become their text.
 */
export function readable(html: string): Readable {
  const { document } = parseHTML(html.replace(/<!--[\s\S]*?(-->|$)/g, ''))
  for (const element of [...document.querySelectorAll(noise)]) element.remove()
  for (const element of [...document.querySelectorAll('[style]')])
    if (invisible.test(element.getAttribute('style') ?? '')) element.remove()
  const pageTitle = document.querySelector('title')?.textContent?.trim() ?? ''
  const whole = document.body?.innerHTML ?? html
  const article = new Readability(document).parse()
  const content = article?.content && (article.textContent?.length ?? 0) > 200 ? article.content : whole
  return { title: article?.title?.trim() || pageTitle, markdown: tidy(toMarkdown(content)) }
}

function toMarkdown(html: string): string {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  turndown.addRule('image-as-text', {
    filter: 'img',
    replacement: (_content, node) => {
      const alt = (node as unknown as { getAttribute(name: string): string | null }).getAttribute('alt')
      return alt ? `[image: ${alt}]` : ''
    }
  })
  return turndown.turndown(html)
}

/** Removes characters that show nothing but can carry text: zero width, direction marks, Unicode tags. */
const tidy = (text: string): string =>
  text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
