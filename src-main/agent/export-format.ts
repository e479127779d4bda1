import { z } from 'zod'
import { fail, messageOf, ok, type Result } from '../base/result'
import { firstWords, withoutSecrets } from './text'

/** What marks a file as the export of a session, and the version that this program writes and reads. */
export const exportMark = { format: 'nomos-session', version: 1 } as const

const id = z.string().min(1).max(128)
const time = z.number().int().min(0).max(8_640_000_000_000_000)
const text = z.string().max(10_000_000)
const word = z.string().max(10_000)
const error = z.looseObject({ code: z.string().max(200), message: word, hint: word.optional() })

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('tool_call'), id }),
  z.object({ type: z.literal('plan'), id }),
  z.object({ type: z.literal('approval'), id }),
  z.object({ type: z.literal('attachment'), id, name: word }),
  z.object({ type: z.literal('notice'), error })
])
const message = z.object({
  id,
  role: z.enum(['user', 'assistant']),
  kind: z.enum(['turn', 'continuation', 'notice']),
  state: z.enum(['queued', 'streaming', 'done', 'error']),
  createdAt: time,
  finishedAt: time.nullable(),
  parts: z.array(part).max(10_000)
})
const call = z.object({
  id,
  messageId: id,
  name: z.string().min(1).max(128),
  sentence: word,
  object: word,
  state: z.enum(['pending', 'running', 'done', 'failed', 'interrupted']),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  error: word.nullable(),
  input: z.unknown(),
  text: text.nullable(),
  structured: z.unknown()
})
const command = z.object({ text })
const execution = z.object({
  id,
  title: word,
  state: z.string().max(64),
  commands: z.array(command).max(1_000),
  error: error.nullable(),
  verification: z.object({ summary: word }).nullable()
})
const plan = z.object({
  id,
  title: word,
  state: z.string().max(64),
  steps: z
    .array(z.object({ index: z.number().int(), title: word, executionState: z.string().max(64).nullable() }))
    .max(1_000)
})

/** What of an export is read; everything else in the file is left where it is. */
const exported = z.object({
  session: z.object({ title: z.string().max(1_000) }),
  messages: z.array(message).max(50_000),
  attachments: z.array(z.object({ id, text })).max(50_000).default([]),
  toolCalls: z.array(call).max(200_000),
  plans: z.array(plan).max(10_000),
  executions: z.array(execution).max(10_000)
})
export type Exported = z.infer<typeof exported>

/**
 * Reads an export. Errors: `import_invalid` (no export, or one that somebody has changed), `import_newer`.
 */
export function readExport(content: string): Result<Exported> {
  let json: unknown
  try {
    // Secrets go at the border, so that nothing further in has to think of them.
    json = withoutSecrets(JSON.parse(content))
  } catch (thrown) {
    return invalid(
      thrown instanceof RangeError ? 'it is nested too deeply' : `it is no JSON (${messageOf(thrown)})`
    )
  }
  const head = z
    .looseObject({ format: z.literal(exportMark.format), version: z.number().int() })
    .safeParse(json)
  if (!head.success) return invalid('it is no session that Nomos has exported as JSON')
  if (head.data.version > exportMark.version)
    return fail(
      'import_newer',
      `This session was exported by a newer Nomos (format ${head.data.version}, this one reads ${exportMark.version}). Nothing was imported.`,
      'Update Nomos, then import it again.'
    )
  const read = exported.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    return invalid(`${issue?.path.join('.') ?? 'it'}: ${issue?.message ?? 'is not as expected'}`)
  }
  const calls = new Set(read.data.toolCalls.map((each) => each.id))
  const known = new Set(read.data.messages.map((each) => each.id))
  if (calls.size < read.data.toolCalls.length || known.size < read.data.messages.length)
    return invalid('an id stands for two things')
  return ok(read.data)
}

const invalid = (why: string) =>
  fail(
    'import_invalid',
    `This file cannot be imported: ${firstWords(why, 300)}. Nothing was imported.`,
    'Export the session as JSON and choose that file.'
  )
