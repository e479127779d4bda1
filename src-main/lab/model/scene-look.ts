import { playSingle, singleOf } from './scene-action'
import { agrees, say, type Script } from './script'
import { bytesIn, firstLine, markdownTable, rowsIn } from './tables'
import type { Answer, Call, Scene } from './talk'

const lists = [
  { name: 'list_lxcs', args: {} },
  { name: 'list_vms', args: {} }
]

/** Both lists, or the call for them when this turn has not asked yet. */
function fleetOf(scene: Scene): Record<string, string>[] | null {
  const calls = [...scene.callsNow('list_lxcs'), ...scene.callsNow('list_vms')]
  if (calls.length === 0) return null
  return calls.flatMap((call) => rowsIn(call.result))
}

const quoted = (scene: Scene): string =>
  [...scene.callsNow('list_lxcs'), ...scene.callsNow('list_vms')]
    .map((call) => `\`\`\`\n${call.result}\n\`\`\``)
    .join('\n')

function running(scene: Scene): Answer {
  const rows = fleetOf(scene)
  if (!rows) return { text: 'I look at the whole fleet.', calls: lists }
  if (rows.length === 0) return say(quoted(scene))
  const up = rows.filter((row) => row['status'] === 'running')
  const down = rows.filter((row) => row['status'] === 'stopped').map((row) => row['name'])
  const table = markdownTable(
    ['VMID', 'Name', 'Node', 'CPU', 'Memory', 'Up'],
    up.map((row) => ['vmid', 'name', 'node', 'cpu', 'memory', 'up'].map((key) => row[key] ?? ''))
  )
  return say(
    `**${up.length} of ${rows.length} guests are running:**\n\n${table}\n\nStopped: ${down.join(', ') || 'none'}.`
  )
}

function memory(scene: Scene): Answer {
  const rows = fleetOf(scene)
  if (!rows) return { text: 'I look at what each guest uses.', calls: lists }
  if (rows.length === 0) return say(quoted(scene))
  const most = rows
    .filter((row) => row['status'] === 'running')
    .sort((a, b) => bytesIn(b['memory'] ?? '') - bytesIn(a['memory'] ?? ''))
    .slice(0, 5)
  const table = markdownTable(
    ['Name', 'Node', 'Memory in use'],
    most.map((row) => [row['name'] ?? '', row['node'] ?? '', row['memory'] ?? ''])
  )
  return say(`**${most[0]?.['name'] ?? 'Nothing'}** uses the most memory.\n\n${table}`)
}

const down =
  /\bwhy\b.*\b(vaultwarden|caddy|jellyfin|gitea|grafana|pihole)\b|\b(vaultwarden|caddy|jellyfin|gitea|grafana|pihole)\b.*\b(down|broken|not work|unreachable)/i

function why(scene: Scene): Answer {
  const name = (
    down
      .exec(scene.request)
      ?.slice(1)
      .find((group) => group && !/down|broken|work|unreach/.test(group)) ?? 'vaultwarden'
  ).toLowerCase()
  const restart = singleOf(`restart ${name}`)
  const agreed = scene.later.some(agrees) || scene.later.some((text) => /\brestart\b/i.test(text))
  if (agreed && restart) return playSingle(scene, restart)
  const service = restart?.verify.args['service'] ?? `${name}.service`
  const target = `lxc:${name}`
  const state = scene.calls('get_service_state').at(-1)
  if (!state)
    return {
      text: `I look at the service of ${name} first.`,
      calls: [{ name: 'get_service_state', args: { target, service } }]
    }
  const logs = scene.calls('read_logs').at(-1)
  if (!logs)
    return {
      text: 'And at what it said last.',
      calls: [{ name: 'read_logs', args: { target, service, lines: 40 } }]
    }
  return say(explained(name, String(service), state, logs))
}

function explained(name: string, service: string, state: Call, logs: Call): string {
  if (/: active \(/.test(state.result))
    return `**${service} is running:**\n\n> ${firstLine(state.result)}\n\nIf it does not answer, the cause is elsewhere: the route in Caddy, or the network.`
  const telling = logs.result
    .split('\n')
    .filter((line) => /killed|oom|fail|error|warn|repeated/i.test(line))
    .slice(-6)
  const oom = /out of memory|oom/i.test(logs.result)
  return [
    `**${service} is down** since it failed:`,
    '',
    `> ${firstLine(state.result)}`,
    '',
    oom
      ? 'The kernel killed it: the container ran out of memory (its limit is small), and systemd gave up after five restarts.'
      : 'The last lines of its log:',
    '',
    '```',
    ...telling,
    '```',
    '',
    `I would restart it${oom ? ', and give the container more memory if it happens again' : ''}. Say "yes" and I request the restart of ${name}.`
  ].join('\n')
}

export const looks: readonly Script[] = [
  { example: 'why is vaultwarden down?', matches: (text) => down.test(text), play: why },
  {
    example: 'what uses the most memory?',
    matches: (text) => /\b(most|much)\b.*\b(memory|ram)\b/i.test(text),
    play: memory
  },
  {
    example: 'what is running?',
    matches: (text) =>
      /\bwhat('s| is| are)?\b.*\b(running|up|there)\b|\bshow\b.*\b(fleet|containers|guests)\b|\blist\b.*\b(containers|guests|vms)\b/i.test(
        text
      ),
    play: running
  }
]
