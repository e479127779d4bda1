import { attachmentLimits } from '@contract/attachment'

/** Bytes beyond which a file is not even read; UTF-8 takes at most four for a character. */
const mostBytes = attachmentLimits.characters * 4

/** A file's text, or why it cannot be attached. */
export type FileText =
  { readonly text: string } | { readonly refused: 'too_large' | 'not_text' | 'empty' | 'unreadable' }

/** Reads a file that was dropped, pasted or chosen. A file with NUL or broken UTF-8 is no text. */
export async function readTextFile(file: Blob): Promise<FileText> {
  if (file.size > mostBytes) return { refused: 'too_large' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    if (text.includes('\0')) return { refused: 'not_text' }
    return text.trim() === '' ? { refused: 'empty' } : { text }
  } catch (error) {
    return { refused: error instanceof TypeError ? 'not_text' : 'unreadable' }
  }
}
