import { failed, sitesIn, started } from '../world/services'
import type { Service } from '../world/types'
import { type Call, die, type Programs } from '../shell/program'
import { options } from './options'
import { isActive, isEnabled, listUnits, show, statusOf } from './systemctl-show'
import { fullName, unitOf, unitText } from './units'

const valued = ['p', 'property', 't', 'type', 'n', 'lines', 'o', 'output', 'state', 'H', 'M', 's', 'signal']

/** `systemctl`, on nodes and inside containers; a container without systemd has none. */
function systemctl(call: Call): number {
  const opts = options(call.args, valued)
  const [verb = 'list-units', ...units] = opts.rest
  switch (verb) {
    case 'status':
      return units.length > 0 ? statusOf(call, units) : listUnits(call, opts)
    case 'show':
      return show(call, units, opts)
    case 'is-active':
    case 'is-failed':
      return isActive(call, units, verb, opts.has('q', 'quiet'))
    case 'is-enabled':
      return isEnabled(call, units)
    case 'is-system-running': {
      const degraded = Object.values(call.machine.services).some((s) => s.active === 'failed')
      call.out(degraded ? 'degraded\n' : 'running\n')
      return degraded ? 1 : 0
    }
    case 'list-units':
    case 'list-unit-files':
      return listUnits(call, opts)
    case 'list-timers':
      call.out('NEXT LEFT LAST PASSED UNIT ACTIVATES\n\n0 timers listed.\n')
      return 0
    case 'daemon-reload':
    case 'daemon-reexec':
      call.wait(250)
      return 0
    case 'cat':
      return onUnits(
        call,
        units,
        (unit) => (
          call.out(`# /etc/systemd/system/${unit.unit}\n${unitText(call.machine, unit.unit) ?? ''}`),
          0
        )
      )
    case 'reset-failed':
      return onUnits(call, units, (unit) =>
        put(call, { ...unit, active: 'inactive', sub: 'dead', result: 'success' })
      )
    case 'start':
    case 'stop':
    case 'restart':
    case 'reload':
    case 'try-restart':
    case 'reload-or-restart':
    case 'kill':
    case 'enable':
    case 'disable':
    case 'mask':
    case 'unmask':
      if (units.length === 0) return die(call, 'Too few arguments.', 1)
      return onUnits(call, units, (unit) => act(call, verb, unit, opts.has('now')))
    default:
      return die(call, `Unknown command verb '${verb}'.`, 1)
  }
}

export const systemctlPrograms: Programs = {
  systemctl: { run: systemctl },
  service: { run: (call) => systemctl({ ...call, args: [call.args[1] ?? 'status', call.args[0] ?? ''] }) }
}

/** Does the same to every unit; the worst exit code counts. */
function onUnits(call: Call, names: readonly string[], actOn: (unit: Service) => number): number {
  let status = 0
  for (const name of names) {
    const unit = unitOf(call.machine, name)
    const verb = call.args.find((arg) => !arg.startsWith('-')) ?? ''
    const text =
      verb === 'enable' || verb === 'disable'
        ? `Failed to ${verb} unit: Unit file ${fullName(name)} does not exist.`
        : `Failed to ${verb} ${fullName(name)}: Unit ${fullName(name)} not found.`
    status = Math.max(
      status,
      unit ? actOn(unit) : die(call, text, verb === 'enable' || verb === 'disable' ? 1 : 5)
    )
  }
  return status
}

function put(call: Call, unit: Service): number {
  call.change({ do: 'service.put', machine: call.machine.id, service: unit })
  return 0
}

function act(call: Call, verb: string, unit: Service, now: boolean): number {
  switch (verb) {
    case 'start':
      return unit.active === 'active' ? 0 : begin(call, unit)
    case 'stop':
    case 'kill':
      return end(call, unit)
    case 'restart':
    case 'reload-or-restart':
      return begin(call, unit)
    case 'try-restart':
      return unit.active === 'active' ? begin(call, unit) : 0
    case 'reload':
      return reload(call, unit)
    case 'enable':
      call.wait(300)
      if (!unit.enabled)
        call.err(
          `Created symlink '/etc/systemd/system/multi-user.target.wants/${unit.unit}' → '/etc/systemd/system/${unit.unit}'.\n`
        )
      put(call, { ...unit, enabled: true })
      return now && unit.active !== 'active' ? begin(call, { ...unit, enabled: true }) : 0
    case 'disable':
      call.wait(200)
      if (unit.enabled) call.err(`Removed '/etc/systemd/system/multi-user.target.wants/${unit.unit}'.\n`)
      put(call, { ...unit, enabled: false })
      return now ? end(call, { ...unit, enabled: false }) : 0
    default:
      return 0
  }
}

function journal(call: Call, unit: Service, priority: number, message: string, ident = 'systemd'): void {
  call.change({
    do: 'journal.add',
    machine: call.machine.id,
    entry: {
      at: call.now(),
      unit: unit.unit,
      ident,
      pid: ident === 'systemd' ? 1 : (unit.pid ?? 0),
      priority,
      message
    }
  })
}

function begin(call: Call, unit: Service): number {
  journal(call, unit, 6, `Starting ${unit.unit} - ${unit.description}...`)
  call.wait(900)
  if (unit.fault !== null) {
    journal(call, unit, 3, unit.fault, unit.unit.replace('.service', ''))
    journal(call, unit, 4, `${unit.unit}: Failed with result 'exit-code'.`)
    journal(call, unit, 3, `Failed to start ${unit.unit} - ${unit.description}.`)
    put(call, { ...unit, ...failed(unit, call.now()) })
    return die(
      call,
      `Job for ${unit.unit} failed because the control process exited with error code.\nSee "systemctl status ${unit.unit}" and "journalctl -xeu ${unit.unit}" for details.`,
      1
    )
  }
  put(call, { ...unit, ...started(unit, call.now()), pid: call.recording.number() % 32_000 })
  journal(call, unit, 6, `Started ${unit.unit} - ${unit.description}.`)
  if (unit.unit === 'caddy.service') loadSites(call)
  return 0
}

function end(call: Call, unit: Service): number {
  call.wait(500)
  put(call, { ...unit, active: 'inactive', sub: 'dead', pid: null, since: call.now() })
  journal(call, unit, 6, `Stopped ${unit.unit} - ${unit.description}.`)
  return 0
}

function reload(call: Call, unit: Service): number {
  if (unit.active !== 'active') return die(call, `${unit.unit} is not active, cannot reload.`, 1)
  call.wait(600)
  journal(call, unit, 6, `Reloaded ${unit.unit} - ${unit.description}.`)
  if (unit.unit === 'caddy.service') loadSites(call)
  return 0
}

function loadSites(call: Call): void {
  call.change({ do: 'machine.set', machine: call.machine.id, set: { sites: sitesIn(call.machine) } })
}
