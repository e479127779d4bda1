export interface SnippetPart {
  readonly text: string
  readonly match: boolean
}

/** Splits a search snippet, whose matches stand between U+0002 and U+0003. */
export function snippetParts(snippet: string): SnippetPart[] {
  return snippet
    .split(/(\u0002[^\u0003]*\u0003)/)
    .filter((text) => text !== '')
    .map((text) =>
      text.startsWith('\u0002') ? { text: text.slice(1, -1), match: true } : { text, match: false }
    )
}

/** Takes the marks of Markdown out of a snippet, of which only some lines are shown. */
export const withoutMarkup = (snippet: string): string =>
  snippet
    .replace(/\|?(?:\s*:?-{3,}:?\s*\|?)+/g, ' ')
    .replace(/\*\*|`|\||(?<=^|\s)#{1,6}(?=\s)/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
