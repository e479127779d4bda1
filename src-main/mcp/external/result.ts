import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { bytes } from '../../tools/format'
import { cutMiddle, plainData, plainText } from '../../tools/text'
import type { ToolOutcome } from '../../tools/tool'

/** Data beside the text may have this many characters of JSON; more is left out. */
const mostData = 32 * 1024

/** What an external tool answered, as a result of a tool of Nomos: bounded, plain, and marked as from outside. */
export function outcomeOf(result: CallToolResult, notes: readonly string[]): ToolOutcome {
  const text = [...result.content.map(partText), ...notes].filter((part) => part !== '').join('\n')
  const data = dataOf(result.structuredContent)
  return {
    text: cutMiddle(plainText(text === '' && data ? JSON.stringify(data) : text)),
    ...(data && { structured: data }),
    ...(result.isError === true && { isError: true }),
    taint: 'mcp'
  }
}

/** Links are named and never followed, and what is not text is named and left out. */
function partText(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type}, ${part.mimeType}, ${bytes(Math.floor((part.data.length * 3) / 4))}: not shown]`
    case 'resource':
      return 'text' in part.resource
        ? `${part.resource.uri}:\n${part.resource.text}`
        : `[data at ${part.resource.uri}: not shown]`
    case 'resource_link':
      return `[link to ${part.name}: ${part.uri}, not read]`
  }
}

function dataOf(structured: CallToolResult['structuredContent']): Record<string, unknown> | null {
  if (!structured) return null
  try {
    return JSON.stringify(structured).length <= mostData
      ? (plainData(structured) as Record<string, unknown>)
      : null
  } catch {
    // Nested too deeply to be written down.
    return null
  }
}
