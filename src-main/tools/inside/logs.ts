import { z } from 'zod'
import { defineTool } from '../define'
import { bareName } from '../fleet/known'
import { modelBytes } from '../text'
import { refused, told } from '../outcome'
import type { Tool } from '../tool'
import { nameOf, runInside, type Inside } from '../../fleet/inside/run-inside'
import { failedToRead, insideTarget, serviceName, unit, withoutSystemd } from './services'

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
      const argv = ['journalctl', '--no-pager', '-o', 'short-iso', '-n', String(lines)]
      if (service !== undefined) argv.push('-u', unit(service))
      const ran = await runInside(inside, found.value, argv, { signal })
      if (!ran.ok) return refused(withoutSystemd(ran.error))
      if (ran.value.code !== 0) return refused(failedToRead(nameOf(found.value), ran.value.stderr))
      const all = ran.value.stdout.split('\n').filter((line) => line !== '' && line !== '-- No entries --')
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
