import type { Service } from '../world/types'
import { type Call, die } from '../shell/program'
import type { Options } from './options'
import { fullName, unitOf, unitText } from './units'

const stamp = (at: number): string => {
  const iso = new Date(at).toISOString()
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][new Date(at).getUTCDay()] ?? ''
  return `${day} ${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}min ${seconds % 60}s ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}min ago`
  return `${Math.floor(seconds / 86_400)} days ago`
}

/** Exit codes as in systemctl(1): 0 active, 3 not active, 4 no such unit. */
export function statusOf(call: Call, names: readonly string[]): number {
  let status = 0
  call.wait(250)
  for (const name of names) {
    const unit = unitOf(call.machine, name)
    if (!unit) {
      status = Math.max(status, die(call, `Unit ${fullName(name)} could not be found.`, 4))
      continue
    }
    const dot = unit.active === 'failed' ? '×' : unit.active === 'active' ? '●' : '○'
    const why =
      unit.active === 'failed'
        ? ` (Result: ${unit.result})`
        : unit.active === 'active'
          ? ` (${unit.sub})`
          : ' (dead)'
    call.out(`${dot} ${unit.unit} - ${unit.description}\n`)
    call.out(
      `     Loaded: loaded (/etc/systemd/system/${unit.unit}; ${unit.enabled ? 'enabled' : 'disabled'}; preset: enabled)\n`
    )
    call.out(
      `     Active: ${unit.active}${why} since ${stamp(unit.since)}; ${ago(call.now() - unit.since)}\n`
    )
    if (unit.pid !== null) {
      call.out(
        `   Main PID: ${unit.pid} (${unit.unit.replace('.service', '')})\n     Memory: ${(unit.memory / 1024 ** 2).toFixed(1)}M\n     CGroup: /system.slice/${unit.unit}\n             └─${unit.pid} ${unit.program}\n`
      )
    } else if (unit.active === 'failed') {
      call.out(
        `    Process: ExecStart=${unit.program} (code=${unit.result === 'oom-kill' ? 'killed, signal=KILL' : `exited, status=${unit.exitStatus}`})\n`
      )
    }
    const lines = call.machine.journal.filter((entry) => entry.unit === unit.unit).slice(-10)
    if (lines.length > 0) call.out('\n')
    for (const entry of lines)
      call.out(
        `${stamp(entry.at).slice(4, 23)} ${call.machine.hostname} ${entry.ident}[${entry.pid}]: ${entry.message}\n`
      )
    if (unit.active !== 'active') status = Math.max(status, 3)
  }
  return status
}

function properties(call: Call, name: string): Record<string, string> {
  const unit = unitOf(call.machine, name)
  if (!unit) {
    return {
      Id: fullName(name),
      Names: fullName(name),
      Description: fullName(name),
      LoadState: 'not-found',
      ActiveState: 'inactive',
      SubState: 'dead',
      UnitFileState: '',
      MainPID: '0',
      Result: 'success',
      ExecMainStatus: '0',
      NRestarts: '0'
    }
  }
  const active = unit.active === 'active'
  return {
    Type: 'simple',
    Restart: 'on-failure',
    NRestarts: String(unit.restarts),
    Result: unit.active === 'failed' ? unit.result : 'success',
    MainPID: String(unit.pid ?? 0),
    ExecMainPID: String(unit.pid ?? 0),
    ExecMainCode: unit.result === 'oom-kill' ? '2' : active ? '0' : '1',
    ExecMainStatus: String(active ? 0 : unit.exitStatus),
    ExecStart: `{ path=${unit.program.split(' ')[0] ?? ''} ; argv[]=${unit.program} }`,
    MemoryCurrent: active ? String(unit.memory) : '[not set]',
    Id: unit.unit,
    Names: unit.unit,
    Description: unit.description,
    LoadState: 'loaded',
    ActiveState: unit.active,
    SubState: unit.sub,
    FragmentPath:
      unitText(call.machine, unit.unit) === null
        ? `/usr/lib/systemd/system/${unit.unit}`
        : `/etc/systemd/system/${unit.unit}`,
    UnitFileState: unit.enabled ? 'enabled' : 'disabled',
    StateChangeTimestamp: stamp(unit.since),
    ActiveEnterTimestamp: active ? stamp(unit.since) : '',
    InactiveEnterTimestamp: active ? '' : stamp(unit.since)
  }
}

export function show(call: Call, names: readonly string[], opts: Options): number {
  call.wait(150)
  const wanted = opts.value('p', 'property')?.split(',')
  const blocks = (names.length > 0 ? names : ['-.slice']).map((name) => {
    const all = properties(call, name)
    const keys = wanted ?? Object.keys(all)
    const lines = keys.filter((key) => key in all)
    // systemctl prints in its own order, not in the order asked for.
    const ordered = Object.keys(all).filter((key) => lines.includes(key))
    return ordered
      .map((key) => (opts.has('value') ? (all[key] ?? '') : `${key}=${all[key] ?? ''}`))
      .join('\n')
  })
  call.out(`${blocks.join('\n\n')}\n`)
  return 0
}

export function isActive(call: Call, names: readonly string[], verb: string, quiet: boolean): number {
  const states = names.map((name) => unitOf(call.machine, name)?.active ?? 'inactive')
  if (!quiet) for (const state of states) call.out(`${state}\n`)
  if (verb === 'is-failed') return states.includes('failed') ? 0 : 1
  return states.every((state) => state === 'active') ? 0 : 3
}

export function isEnabled(call: Call, names: readonly string[]): number {
  let status = 0
  for (const name of names) {
    const unit = unitOf(call.machine, name)
    if (!unit)
      status = die(call, `Failed to get unit file state for ${fullName(name)}: No such file or directory`, 1)
    else {
      call.out(unit.enabled ? 'enabled\n' : 'disabled\n')
      if (!unit.enabled) status = 1
    }
  }
  return status
}

export function listUnits(call: Call, opts: Options): number {
  call.wait(250)
  const states = opts.value('state')?.split(',') ?? (opts.has('failed') ? ['failed'] : null)
  const patterns = opts.rest
    .slice(1)
    .map((p) => new RegExp(`^${p.replace(/[.]/g, '\\.').replace(/\*/g, '.*')}$`))
  const units = Object.keys(call.machine.services)
    .map((name) => unitOf(call.machine, name))
    .filter((unit): unit is Service => unit !== null)
    .filter((unit) => states === null || states.includes(unit.active) || states.includes(unit.sub))
    .filter(
      (unit) =>
        states !== null ||
        opts.has('all', 'a') ||
        unit.active !== 'inactive' ||
        opts.rest[0] === 'list-unit-files'
    )
    .filter((unit) => patterns.length === 0 || patterns.some((pattern) => pattern.test(unit.unit)))
    .sort((a, b) => (a.unit < b.unit ? -1 : 1))
  if (opts.value('o', 'output')?.startsWith('json')) {
    call.out(
      `${JSON.stringify(units.map((u) => ({ unit: u.unit, load: 'loaded', active: u.active, sub: u.sub, description: u.description })))}\n`
    )
    return 0
  }
  const bare = opts.has('no-legend') || opts.has('plain')
  const width = Math.max(4, ...units.map((unit) => unit.unit.length))
  if (opts.rest[0] === 'list-unit-files') {
    if (!opts.has('no-legend')) call.out(`${'UNIT FILE'.padEnd(width)} STATE    PRESET\n`)
    for (const unit of units)
      call.out(`${unit.unit.padEnd(width)} ${unit.enabled ? 'enabled ' : 'disabled'} enabled\n`)
    return 0
  }
  const mark = (unit: Service) => (opts.has('plain') ? '' : unit.active === 'failed' ? '● ' : '  ')
  if (!opts.has('no-legend'))
    call.out(`${opts.has('plain') ? '' : '  '}${'UNIT'.padEnd(width)} LOAD   ACTIVE   SUB     DESCRIPTION\n`)
  for (const unit of units)
    call.out(
      `${mark(unit)}${unit.unit.padEnd(width)} loaded ${unit.active.padEnd(8)} ${unit.sub.padEnd(7)} ${unit.description}\n`
    )
  if (!bare) call.out(`\n${units.length} loaded units listed.\n`)
  return 0
}
