import type { AttachmentView, PartView } from '@contract'

/** A message as it is drawn: its parts in order, all tool calls together where the first one came. */
export type Block =
  | { readonly kind: 'text'; readonly key: string; readonly text: string }
  | { readonly kind: 'attachments'; readonly key: string; readonly attachments: readonly AttachmentView[] }
  | { readonly kind: 'tools'; readonly key: string; readonly ids: readonly string[] }
  | { readonly kind: 'plan'; readonly key: string; readonly id: string }
  | { readonly kind: 'approval'; readonly key: string; readonly id: string }
  | { readonly kind: 'notice'; readonly key: string; readonly notice: Extract<PartView, { type: 'notice' }> }

export function blocksOf(parts: readonly PartView[]): Block[] {
  const blocks: Block[] = []
  const ids = parts.filter((part) => part.type === 'tool_call').map((part) => part.id)
  let grouped = false
  for (const [index, part] of parts.entries()) {
    const key = String(index)
    if (part.type === 'tool_call') {
      if (!grouped) blocks.push({ kind: 'tools', key: 'tools', ids })
      grouped = true
    } else if (part.type === 'text') {
      if (part.text.trim() !== '') blocks.push({ kind: 'text', key, text: part.text })
    } else if (part.type === 'attachment') continue
    else if (part.type === 'notice') blocks.push({ kind: 'notice', key, notice: part })
    else blocks.push({ kind: part.type, key, id: part.id })
  }
  const attachments = attachmentsOf(parts)
  if (attachments.length > 0) blocks.push({ kind: 'attachments', key: 'attachments', attachments })
  return blocks
}

export const attachmentsOf = (parts: readonly PartView[]): AttachmentView[] =>
  parts.filter((part) => part.type === 'attachment')

/** True while the newest thing in a message is a tool call, so that more may follow. */
export const callsAreLast = (parts: readonly PartView[]): boolean => parts.at(-1)?.type === 'tool_call'

/** All text of a message, for the clipboard. */
export const textOf = (parts: readonly PartView[]): string =>
  parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n')
