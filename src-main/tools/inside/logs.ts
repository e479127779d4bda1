import { z } from 'zod'
import { nameOf, type Inside } from '../../fleet/inside/run-inside'
import { readJournal } from '../../fleet/detail/journal'
import { unit } from '../../fleet/detail/services'
import { defineTool } from '../define'
import { bareName } from '../fleet/known'
import { modelBytes } from '../text'
import { refused, told } from '../outcome'
import type { Tool } from '../tool'
import { insideTarget, serviceName } from './services'

/** The tool that reads journals. */
export const logTools = (inside: Inside): Tool[] => [
  defineTool({
    name: 'read_logs',
    title: 'Read logs',
    group: 'inside',
    description:
      'The last lines of the journal of one host or running guest, of all services or of one. ' +
      '100 lines unless set, 1000 at most; the newest are kept when they are more than 8 KB. ' +
      'Output of executions of Nomos is in get_execution_status.',
    input: z.strictObject({
      target: insideTarget,
      service: serviceName.optional().describe('Only this systemd unit.'),
      lines: z.number().int().min(1).max(1000).default(100)
    }),
    output: z.object({ target: z.string(), service: z.string().nullable(), lines: z.array(z.string()) }),
    readOnly: true,
    timeoutMs: 60_000,
    sentence: ({ target, service }) => ({
      sentence: `Reading the log of ${service ? `${service} on ` : ''}${bareName(target)}`,
      object: service ?? bareName(target)
    }),
    async run({ target, service, lines }, { signal }) {
      const found = await inside.fleet.resolve(target)
      if (!found.ok) return refused(found.error)
      const read = await readJournal(inside, found.value, { service, lines }, { signal })
      if (!read.ok) return refused(read.error)
      const all = read.value
      const kept = newest(all, modelBytes - 200)
      const head = `${kept.length} of the last ${all.length} lines${service ? ` of ${unit(service)}` : ''} on ${nameOf(found.value)}`
      const text =
        all.length === 0
          ? `There is nothing in the journal of ${service ?? nameOf(found.value)}.`
          : `${head}\n${kept.join('\n')}`
      return told(text, { target, service: service ?? null, lines: kept })
    }
  })
]

/** As many of the last lines as fit. */
function newest(lines: readonly string[], limit: number): string[] {
  const kept: string[] = []
  let size = 0
  for (const line of [...lines].reverse()) {
    const short = line.slice(0, 1000)
    size += Buffer.byteLength(short) + 1
    if (size > limit) break
    kept.unshift(short)
  }
  return kept
}
