import { type Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { decodeEntities, GrowingMarkdown, lex, safeHref } from '../../../src-renderer/lib/markdown'

const typesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => [token.type, ...('tokens' in token ? typesIn(token.tokens ?? []) : [])])

const within = (milliseconds: number, work: () => void) => {
  const started = performance.now()
  work()
  expect(performance.now() - started).toBeLessThan(milliseconds)
}

describe('text of a model', () => {
  it('keeps HTML as HTML tokens, which are shown as text', () => {
    const tokens = lex('<iframe src="https://evil.example"></iframe>\n\nhello <img src=x onerror=alert(1)>')
    expect(typesIn(tokens)).toEqual(['html', 'space', 'paragraph', 'text', 'html'].filter(Boolean))
  })

  it('opens http and https addresses only', () => {
    expect(safeHref('https://example.org/a?b')).toBe('https://example.org/a?b')
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '//evil.example',
      '/relative',
      'vbscript:x',
      ' javascript:alert(1)',
      'https://',
      `https://example.org/${'a'.repeat(3_000)}`
    ]) {
      expect(safeHref(href), href).toBeNull()
    }
  })

  it('shows a host that is written in another script as it is asked for', () => {
    expect(safeHref('https://аpple.com/')).toBe('https://xn--pple-43d.com/')
  })

  it('decodes entities as characters, once', () => {
    expect(decodeEntities('a &lt;b&gt; &amp;lt; &#x27; &unknown;')).toBe("a <b> &lt; ' &unknown;")
    expect(decodeEntities('&#x110000;')).toBe('&#x110000;')
  })

  it('stays alive on a line of a megabyte', () => {
    within(1_500, () => {
      expect(typesIn(lex('a_'.repeat(500_000)))).toEqual(['plain'])
    })
  })

  it('stays alive on ten thousand nested lists', () => {
    const indented = Array.from({ length: 10_000 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n')
    within(3_000, () => {
      expect(typesIn(lex(indented))).toEqual(['plain'])
      expect(typesIn(lex('- '.repeat(10_000)))).toEqual(['plain'])
      expect(typesIn(lex('> '.repeat(10_000)))).toEqual(['plain'])
    })
  })

  it('stays alive on what makes inline rules slow', () => {
    within(3_000, () => {
      for (const piece of ['[', '![', '*a', 'a_', '<', '`a', '](', '~', '<a ', '&']) {
        lex(piece.repeat(50_000 / piece.length))
      }
    })
  })

  it('reads ordinary lists, tables and code', () => {
    const types = typesIn(lex('- a\n  - b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```'))
    expect(types).toContain('list')
    expect(types).toContain('table')
    expect(types).toContain('code')
  })
})

describe('text that grows', () => {
  const whole = '# One\n\nFirst.\n\n- a\n- b\n\nSecond **bold**.\n\n```sh\nls\n```\n\nThird.\n\nFourth.'

  it('gives at every length what the whole text would give', () => {
    const growing = new GrowingMarkdown()
    for (let end = 1; end <= whole.length; end++) {
      const text = whole.slice(0, end)
      expect(typesIn(growing.update(text)), text).toEqual(typesIn(lex(text)))
    }
  })

  it('keeps the tokens of blocks that are finished', () => {
    const growing = new GrowingMarkdown()
    const before = growing.update(whole)
    const after = growing.update(`${whole}\n\nFifth.`)
    expect(after[0]).toBe(before[0])
  })

  it('starts anew when the text is another one', () => {
    const growing = new GrowingMarkdown()
    growing.update(whole)
    expect(growing.update('Other.').map((token) => token.raw)).toEqual(['Other.'])
  })
})
