import { z } from 'zod'
import type { AttachmentDetail, AttachmentView } from '../../src-preload/contract'
import { newId } from '../base/ids'
import type { Store } from '../store/store'
import { wellFormed } from './text'

const row = z.object({
  id: z.string(),
  name: z.string(),
  bytes: z.number(),
  lines: z.number()
})
const wholeRow = row.extend({ text: z.string() })

/** A text as it comes from the operator. */
export interface NewAttachment {
  readonly name: string
  readonly text: string
}

/** The texts that were sent beside messages. */
export function createAttachments({ db }: Store) {
  const insert = db.prepare(
    'INSERT INTO attachments (id, message_id, idx, name, bytes, lines, text) VALUES (?, ?, ?, ?, ?, ?, ?)'
  )
  const viewsOf = db.prepare(
    'SELECT id, name, bytes, lines FROM attachments WHERE message_id = ? ORDER BY idx'
  )
  const textsOf = db.prepare(
    'SELECT id, name, bytes, lines, text FROM attachments WHERE message_id = ? ORDER BY idx'
  )
  const one = db.prepare('SELECT id, name, bytes, lines, text FROM attachments WHERE id = ?')
  const copy = db.prepare(
    `INSERT INTO attachments SELECT @to || substr(id, -12), @to, idx, name, bytes, lines, text
       FROM attachments WHERE message_id = @from`
  )

  return {
    /** Call inside the transaction that writes the message. */
    add(messageId: string, attachments: readonly NewAttachment[]): void {
      for (const [index, attachment] of attachments.entries()) {
        const text = wellFormed(attachment.text)
        insert.run(
          newId(),
          messageId,
          index,
          plainName(attachment.name),
          Buffer.byteLength(text),
          lineCount(text),
          text
        )
      }
    },
    views: (messageId: string): AttachmentView[] => viewsOf.all(messageId).map((raw) => row.parse(raw)),
    texts: (messageId: string): AttachmentDetail[] =>
      textsOf.all(messageId).map((raw) => wholeRow.parse(raw)),
    find(id: string): AttachmentDetail | null {
      const raw = one.get(id)
      return raw === undefined ? null : wholeRow.parse(raw)
    },
    copy: (from: string, to: string): void => void copy.run({ from, to })
  }
}

/** A name in one line, without anything that could be taken for the marks around its text. */
const plainName = (name: string): string =>
  wellFormed(name)
    .replace(/[\p{Cc}\p{Cf}[\]]+/gu, ' ')
    .trim() || 'text'

const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length
