import { stillOpen, waiting } from './carry-out'
import { say, type Script } from './script'
import { firstLine } from './tables'
import type { Answer, PlannedCall, Requested, Scene } from './talk'

/** A single action that the operator names, and how it is verified. */
interface Single {
  readonly request: PlannedCall
  readonly does: string
  readonly verify: PlannedCall
}

/** Units of the lab's containers where they are not called like the container. */
const units: Readonly<Record<string, string>> = {
  grafana: 'grafana-server.service',
  pihole: 'pihole-FTL.service',
  paperless: 'paperless-webserver.service',
  'old-test': 'nginx.service'
}

const guests =
  /\b(caddy|vaultwarden|jellyfin|gitea|grafana|pihole|uptime-kuma|paperless|typetype|old-test)\b/i

const guestActions: readonly (readonly [RegExp, string, string])[] = [
  [/\breboot\b|\brestart the container\b/i, 'pct_reboot', 'Rebooting'],
  [/\bshut\s*down\b|\bstop\b/i, 'pct_shutdown', 'Shutting down'],
  [/\bsnapshot\b/i, 'pct_snapshot', 'Taking a snapshot of'],
  [/\bstart\b/i, 'pct_start', 'Starting']
]

/** `restart caddy` is the service; `reboot`, `start`, `stop`, `snapshot` are the container. */
export function singleOf(text: string): Single | null {
  const name = guests.exec(text)?.[1]?.toLowerCase()
  if (name === undefined) return null
  const target = `lxc:${name}`
  const unit = units[name] ?? `${name}.service`
  if (/\b(restart|reload)\b/i.test(text) && !/\bcontainer\b/i.test(text)) {
    const verb = /\breload\b/i.test(text) ? 'reload' : 'restart'
    return {
      request: {
        name: 'request_execution',
        args: {
          action: 'systemctl',
          target,
          params: { verb, unit },
          why: `The operator asked to ${verb} ${name}.`
        }
      },
      does: `${verb === 'reload' ? 'Reloading' : 'Restarting'} ${unit} in ${name}`,
      verify: { name: 'get_service_state', args: { target, service: unit } }
    }
  }
  const found = guestActions.find(([pattern]) => pattern.test(text))
  if (!found) return null
  const [, action, does] = found
  const params =
    action === 'pct_snapshot'
      ? { name: /\bsnapshot\s+(?:named|called)\s+([a-z][\w-]*)/i.exec(text)?.[1] ?? 'before-change' }
      : {}
  return {
    request: {
      name: 'request_execution',
      args: { action, target, params, why: `The operator asked for it: ${text.trim().slice(0, 120)}` }
    },
    does: `${does} ${name}`,
    verify:
      action === 'pct_snapshot'
        ? { name: 'list_snapshots', args: { target } }
        : { name: 'get_lxc_state', args: { target } }
  }
}

/** What the operator gave as the reason, said back. */
const reasonOf = (text: string): string =>
  text === '' ? '' : ` I understood: ${text.replace(/[.!]*$/, '.')}`

/** Requests it, waits for its result, looks whether it is true, reports. */
export function playSingle(scene: Scene, single: Single): Answer {
  const { action } = single.request.args
  const last = scene.requests.findLast((each) => each.action === action)
  if (!last) return { text: `${single.does}.`, calls: [single.request] }
  if (last.id === null) return refused(last)
  if (!last.outcome) return last.now ? say(waiting(last, single.does)) : stillOpen(scene, last)
  if (/denied|expired/.test(last.outcome.how))
    return say(`All right, nothing was changed.${reasonOf(last.outcome.text)}`)
  if (!last.outcome.succeeded)
    return say(`${single.does} ${last.outcome.how}: ${last.outcome.text || 'it gave no reason'}`)
  const check = scene.items
    .slice(scene.items.indexOf(last.call))
    .findLast((item) => item.kind === 'call' && item.name === single.verify.name)
  if (!check || check.kind !== 'call')
    return { text: 'It succeeded. I look whether it is so.', calls: [single.verify] }
  return say(`**Done.** ${single.does} succeeded.\n\n> ${firstLine(check.result)}`)
}

const refused = (last: Requested): Answer =>
  say(
    `That is not possible: ${firstLine(last.call.result).replace(/^Error\s+[a-z_]+:\s*/, '')}\n\nNothing was changed.`
  )

export const single: Script = {
  example: 'restart caddy',
  matches: (text) => singleOf(text) !== null,
  play: (scene) => {
    const wanted = singleOf(scene.request)
    return wanted ? playSingle(scene, wanted) : say('Tell me which container you mean.')
  }
}
