import { z } from 'zod'
import { signalKinds, type SignalView } from '../../../src-preload/contract'
import type { Signals } from '../../signals/port'
import { defineTool } from '../define'
import { count, moment } from '../format'
import { refused, told } from '../outcome'
import type { Tool } from '../tool'

const signalSchema = z.object({
  signal_id: z.string(),
  kind: z.enum(signalKinds),
  level: z.string(),
  state: z.string(),
  target: z.string(),
  title: z.string(),
  detail: z.string(),
  since: z.number(),
  action: z
    .object({ action: z.string(), target: z.string(), params: z.record(z.string(), z.unknown()) })
    .nullable(),
  execution_id: z.string().nullable()
})

/** Tools for the conditions that were noticed on the fleet. */
export const signalTools = (signals: Signals): Tool[] => [
  defineTool({
    name: 'list_signals',
    title: 'List signals',
    group: 'signals',
    description:
      'What was noticed on the whole fleet in one call, the gravest first: guests that are down, failed services, full ' +
      'storages, hosts that cannot be reached, stale backups, reboots and updates that wait. Use it when the operator ' +
      'asks what is wrong or what needs attention. Each may name the action that mends it; request that as usual.',
    input: z.strictObject({
      include_resolved: z.boolean().default(false).describe('Also those that are over, the latest first.')
    }),
    output: z.object({ signals: z.array(signalSchema) }),
    readOnly: true,
    timeoutMs: 10_000,
    sentence: () => ({ sentence: 'Reading the signals', object: 'signals' }),
    run({ include_resolved: all }) {
      const found = signals.list(all ? 'all' : 'unresolved')
      const text =
        found.length === 0
          ? 'Nothing on the fleet needs attention.'
          : [`${count(found.length, 'signal')}:`, ...found.map(line)].join('\n')
      return Promise.resolve(told(text, { signals: found.map(dataOf) }))
    }
  }),

  defineTool({
    name: 'acknowledge_signal',
    title: 'Acknowledge a signal',
    group: 'signals',
    description:
      'Marks one signal as seen, so that it no longer asks for attention; it is resolved by itself when the condition is ' +
      'gone. Only when the operator says that they know of it or want to leave it.',
    input: z.strictObject({
      signal_id: z.string().min(1).max(64).describe('ID of the signal, as list_signals returned it.')
    }),
    output: z.object({ signal: signalSchema }),
    readOnly: false,
    timeoutMs: 10_000,
    sentence: ({ signal_id: id }) => {
      const title = signals.list('all').find((signal) => signal.id === id)?.title ?? 'a signal'
      return { sentence: `Acknowledging: ${title}`, object: 'signal' }
    },
    run({ signal_id: id }) {
      const done = signals.acknowledge(id)
      return Promise.resolve(
        done.ok
          ? told(`Acknowledged: ${done.value.title}`, { signal: dataOf(done.value) })
          : refused(done.error)
      )
    }
  })
]

const line = (signal: SignalView): string =>
  [
    `${signal.id} [${signal.level}${signal.state === 'open' ? '' : `, ${signal.state}`}] ${signal.title}`,
    `(noticed ${moment(signal.openedAt)}).`,
    signal.detail && /[.!?]$/.test(signal.detail) ? signal.detail : signal.detail && `${signal.detail}.`,
    signal.action &&
      `Mends it: ${signal.action.action} on ${signal.action.target}${paramsOf(signal.action.params)}.`,
    signal.executionId && `Led to execution ${signal.executionId}.`
  ]
    .filter(Boolean)
    .join(' ')

const paramsOf = (params: object): string =>
  Object.keys(params).length === 0 ? '' : ` with ${JSON.stringify(params)}`

const dataOf = (signal: SignalView) => ({
  signal_id: signal.id,
  kind: signal.kind,
  level: signal.level,
  state: signal.state,
  target: signal.target,
  title: signal.title,
  detail: signal.detail,
  since: signal.openedAt,
  action: signal.action && {
    action: signal.action.action,
    target: signal.action.target,
    params: signal.action.params
  },
  execution_id: signal.executionId
})
