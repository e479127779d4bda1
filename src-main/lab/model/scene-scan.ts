import { say, type Script } from './script'
import { rowsIn } from './tables'
import type { Answer, Call, PlannedCall, Scene } from './talk'

/** Calls of one scan, the list included: enough to see how many of them look as one group. */
const wanted = 40

const perGuest: readonly ((target: string) => PlannedCall)[] = [
  (target) => ({ name: 'get_lxc_state', args: { target } }),
  (target) => ({ name: 'list_services', args: { target } }),
  (target) => ({ name: 'list_updates', args: { target } }),
  (target) => ({ name: 'read_logs', args: { target, lines: 20 } }),
  (target) => ({ name: 'list_snapshots', args: { target } }),
  (target) => ({ name: 'get_service_state', args: { target, service: 'cron.service' } }),
  (target) => ({ name: 'get_service_state', args: { target, service: 'ssh.service' } }),
  (target) => ({ name: 'read_logs', args: { target, service: 'cron.service', lines: 10 } })
]

const listed = (scene: Scene): Call | undefined => scene.callsNow('list_lxcs').at(-1)

/** Everything about every container, one by one: what a model should not do, and what the screen must bear. */
function play(scene: Scene): Answer {
  const list = listed(scene)
  if (!list) return { text: 'I go through every container.', calls: [{ name: 'list_lxcs', args: {} }] }
  const running = rowsIn(list.result)
    .filter((row) => row['status'] === 'running')
    .map((row) => `lxc:${row['name'] ?? ''}`)
  const ghost = /does not exist|one failure/i.test(scene.request) ? ['lxc:ghost'] : []
  const all = [
    ...ghost.map((target) => ({ name: 'get_lxc_state', args: { target } })),
    ...perGuest.flatMap((call) => running.map(call))
  ]
    .filter((call) => scene.tools.size === 0 || scene.tools.has(call.name))
    .slice(0, wanted - 1)
  const made = scene.turn.filter(
    (item): item is Call => item.kind === 'call' && item.name !== 'list_lxcs'
  ).length
  const atOnce = /one (by one|at a time)/i.test(scene.request) ? 1 : 4
  const next = all.slice(made, made + atOnce)
  if (next.length > 0) return { calls: next, thinkMs: 60 }
  const failed = scene.turn.filter((item) => item.kind === 'call' && /^\s*Error /.test(item.result)).length
  return say(
    `I made **${made + 1} calls** over ${running.length} running containers; ${failed === 0 ? 'all of them answered' : `${failed} of them failed`}. \`list_lxcs\` and \`get_state_snapshot\` would have told most of it at once.`
  )
}

/** A result that names the call which returns everything. */
const bulkNamed = /\b(list_lxcs|get_state_snapshot) returns all of them in one call/

/**
 * Begins container by container, as a model does that knows no better, and does what the results say: as soon as one of
 * them names the call for all of them, that one is made.
 */
function playFrugally(scene: Scene): Answer {
  const made = scene.turn.filter((item): item is Call => item.kind === 'call')
  const bulk = made.find((call) => call.name === 'list_lxcs' || call.name === 'get_state_snapshot')
  if (bulk) {
    const rows = rowsIn(bulk.result).length
    return say(`All ${rows > 0 ? rows : ''} containers are told of. It took **${made.length} calls**.`)
  }
  const named = made.map((call) => bulkNamed.exec(call.result)?.[1]).find((name) => name !== undefined)
  if (named !== undefined) return { calls: [{ name: named, args: {} }] }
  const target = `lxc:${firstVmid + made.length}`
  return { calls: [{ name: 'get_lxc_state', args: { target } }], thinkMs: 60 }
}
const firstVmid = 100

export const frugalScan: Script = {
  example: 'go through the containers one after the other',
  matches: (text) => /\bcontainers?\b.*\bone after the other\b/i.test(text),
  play: playFrugally
}

export const scan: Script = {
  example: 'check every container (fleet scan, 40 calls)',
  matches: (text) =>
    /\bfleet scan\b|\bcheck (every|each|all)\b.*\bcontainers?\b|\bscan\b.*\b(fleet|containers)\b/i.test(text),
  play
}
