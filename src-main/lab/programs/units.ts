import { service } from '../world/services'
import type { Machine, Service } from '../world/types'

export const fullName = (name: string): string =>
  /\.(service|timer|target|socket|mount)$/.test(name) ? name : `${name}.service`

const unitFolders = ['/etc/systemd/system', '/lib/systemd/system', '/usr/lib/systemd/system']

/** Text of a unit's file, where the machine has one. */
export const unitText = (machine: Machine, unit: string): string | null =>
  unitFolders
    .map((folder) => machine.files[`${folder}/${unit}`]?.content)
    .find((text) => text !== undefined) ?? null

const setting = (text: string, key: string): string | undefined =>
  new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]?.trim()

/**
 * The unit as systemd knows it: one that runs or ran, brought up to date with its file; null when there is neither.
 * A unit written by hand listens on the port its `Environment=PORT=` or `--port` names.
 */
export function unitOf(machine: Machine, name: string): Service | null {
  const unit = fullName(name)
  const known = machine.services[unit]
  const text = unitText(machine, unit)
  if (text === null) return known ?? null
  const program = setting(text, 'ExecStart') ?? ''
  const port = /PORT=(\d+)/.exec(text)?.[1] ?? /--port[= ](\d+)/.exec(text)?.[1] ?? '3000'
  const fresh = known ?? service(unit, unit, { active: 'inactive', sub: 'dead', enabled: false, pid: null })
  return {
    ...fresh,
    description: setting(text, 'Description') ?? unit,
    program,
    ports: known?.ports.length ? known.ports : [Number(port)],
    fault: faultOf(machine, text, program)
  }
}

/** Why a hand-written unit cannot start: no ExecStart, its program or its folder is missing. */
function faultOf(machine: Machine, text: string, program: string): string | null {
  if (program === '') return 'Service has no ExecStart=, ExecStop=, or SuccessAction=. Refusing.'
  const folder = setting(text, 'WorkingDirectory')
  const exists = (path: string) =>
    Object.keys(machine.files).some((other) => other === path || other.startsWith(`${path}/`))
  if (folder !== undefined && !exists(folder))
    return `Changing to the requested working directory failed: No such file or directory`
  const [command = '', script] = program.split(/\s+/)
  if (/\/node$/.test(command) && !machine.packages.includes('nodejs'))
    return `Unable to locate executable '${command}': No such file or directory`
  const wanted = script?.startsWith('/') ? script : null
  if (wanted !== null && !exists(wanted)) return `Error: Cannot find module '${wanted}'`
  const system = /^\/(usr\/)?(local\/)?s?bin\//.test(command)
  if (!system && command.startsWith('/') && !exists(command))
    return `Unable to locate executable '${command}': No such file or directory`
  return null
}
