import { redact } from '../base/redact'
import { redactDeep } from '../base/redact-deep'

/** Bytes of a result that the model is given. */
export const modelBytes = 8192

const escapes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])/g
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Zero-width, direction-changing and tag characters: invisible to the operator, readable to a model. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g

/** Text without escape sequences, control and invisible characters, and without secrets; `\r` overwrites the line. */
export function plainText(text: string): string {
  const visible = text
    .replace(escapes, '')
    .replace(/\r+\n/g, '\n')
    .replace(/^.*\r(?=[^\n])/gm, '')
    .replace(/\r/g, '')
    .replace(controls, '')
    .replace(invisible, '')
  // By way of bytes: halves of surrogate pairs do not survive it.
  return redact(Buffer.from(visible).toString())
}

/** The same, for every string inside a value that is plain data. */
export const plainData = (value: unknown): unknown => redactDeep(value, plainText)

/** At most `bytes` of UTF-8: the head, a note of what was cut, and the tail. */
export function cutMiddle(text: string, bytes = modelBytes): string {
  const all = Buffer.from(text)
  if (all.length <= bytes) return text
  const note = `\n[… ${all.length - bytes + 64} of ${all.length} bytes cut here; ask for less at once …]\n`
  const room = Math.max(0, bytes - Buffer.byteLength(note))
  const head = Math.ceil(room * 0.6)
  return `${decode(all.subarray(0, head))}${note}${decode(all.subarray(all.length - (room - head)))}`
}

/** The first of these texts, from the fullest to the shortest, that the model can be given whole; else the shortest. */
export function fitting(...texts: readonly (() => string)[]): string {
  let text = ''
  for (const make of texts) {
    text = make()
    // Some room is left for what is said beside it.
    if (Buffer.byteLength(text) <= modelBytes - 700) return text
  }
  return text
}

/** Bytes as text, without the halves of characters at its ends. */
const decode = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\ufffd+|\ufffd+$/g, '')
