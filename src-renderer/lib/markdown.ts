import { Lexer, type Token } from 'marked'

/** Longer texts are shown as they are: nobody reads their formatting. */
const longestText = 200_000
/** Inline rules can take quadratic time, so a longer paragraph stays plain. */
const longestInline = 6_000
/** Deeper lists and quotes are no longer told apart by the eye. */
const deepest = 24

const options = { gfm: true, breaks: false, async: false } as const

const plainBlock = (raw: string): Token => ({ type: 'plain', raw, text: raw })

/** How deep the lines of a text nest, by their indentation and their list and quote marks. */
function nesting(text: string): number {
  let most = 0
  for (const match of text.matchAll(/^((?:[ \t]*(?:[-*+>]|\d{1,9}[.)])(?=[ \t>]|$))+|[ \t]+)/gm)) {
    const lead = match[0].replace(/\t/g, '    ')
    const marks = lead.replace(/[^-*+>.)]/g, '').length
    if (marks > 0) most = Math.max(most, marks + (lead.length - marks) / 8)
  }
  for (const match of text.matchAll(/^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]/gm)) {
    most = Math.max(most, (match[1] ?? '').replace(/\t/g, '    ').length / 2)
  }
  return most
}

/** Lexes Markdown; anything that could take long or go deep comes back as plain text. */
export function lex(text: string): Token[] {
  if (text.length > longestText || nesting(text) > deepest) return [plainBlock(text)]
  try {
    const lexer = new Lexer(options)
    const tokens = lexer.blockTokens(text.replace(/\r\n?/g, '\n'), [])
    for (const waiting of lexer.inlineQueue) {
      if (waiting.src.length > longestInline) {
        waiting.tokens.push({ type: 'text', raw: waiting.src, text: waiting.src })
      } else lexer.inlineTokens(waiting.src, waiting.tokens)
    }
    return tokens
  } catch {
    return [plainBlock(text)]
  }
}

/**
 * Lexes a text that grows at its end. Blocks that can no longer change keep their tokens, so a frame
 * costs the length of the last block and the blocks before it are not drawn again.
 */
export class GrowingMarkdown {
  #settled: Token[] = []
  #settledText = ''
  #text = ''
  #tokens: Token[] = []

  update(text: string): readonly Token[] {
    if (text === this.#text) return this.#tokens
    if (!text.startsWith(this.#settledText)) {
      this.#settled = []
      this.#settledText = ''
    }
    this.#text = text
    const tail = lex(text.slice(this.#settledText.length))
    const tokens = [...this.#settled, ...tail]
    this.#settle(tail)
    this.#tokens = tokens
    return tokens
  }

  /** The last block may grow, and the one before may belong to it (a list after a blank line). */
  #settle(tail: readonly Token[]): void {
    const firm = tail.slice(0, -3)
    if (firm.some((token) => token.type === 'plain')) return
    const raw = firm.map((token) => token.raw).join('')
    if (raw === '' || !this.#text.startsWith(raw, this.#settledText.length)) return
    this.#settled.push(...firm)
    this.#settledText += raw
  }
}

/** The address if the operator may be asked to open it, else null. */
export function safeHref(href: string): string | null {
  if (!/^https?:\/\//i.test(href) || href.length > 2048) return null
  try {
    const url = new URL(href)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
  } catch {
    return null
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  copy: '©',
  rarr: '→',
  larr: '←'
}

/** Character references as the characters they name; they are set as text, never parsed as HTML. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (all, dec, hex, name) => {
        const code = dec ? Number(dec) : hex ? Number.parseInt(hex as string, 16) : -1
        if (code > 0x10ffff) return all as string
        if (code >= 0) return String.fromCodePoint(code)
        return entities[(name as string).toLowerCase()] ?? (all as string)
      })
    : text
