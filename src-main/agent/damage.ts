import { readJson } from '../base/json'
import type { CallRow } from './calls'
import { type MessageRow, noticeOf, type PartRow } from './messages'

/** What of a message's record cannot be read any more, in words; null when all of it can. */
export function damageOf(
  message: MessageRow,
  parts: readonly PartRow[],
  calls: readonly CallRow[]
): string | null {
  const call = calls.find(({ args, structured }) =>
    [args, structured ?? 'null'].map(readJson).includes(undefined)
  )
  if (call) return `what the call ${call.name} was given or returned cannot be read`
  if (parts.some((part) => part.type === 'notice' && noticeOf(part) === null))
    return 'what Nomos said in it cannot be read'
  return readJson(message.usage ?? '{}') === undefined ? 'what it used cannot be read' : null
}
