import { fail, ok, type Result } from '../../base/result'
import type { TargetName } from '../../fleet/port'
import type { ActionPlace, ActionWorld, GuestStatus, PreparedAction } from './action'
import { findGuest, nameOf, vmidOf, type GuestPlace } from './place'

/** What `pct config` or `qm config` says, key by key. */
export type GuestConfig = ReadonlyMap<string, string>

const readMs = 20_000

/** The program that acts on a guest of its kind. */
export const program = (place: ActionPlace): 'pct' | 'qm' => (place.target.kind === 'vm' ? 'qm' : 'pct')

export const kindWord = (place: ActionPlace): string =>
  place.target.kind === 'vm' ? 'virtual machine' : 'container'

/** Runs a read on a host. */
export async function read(
  world: ActionWorld,
  host: string,
  argv: readonly string[]
): Promise<Result<{ code: number | null; stdout: string; stderr: string }>> {
  return world.ssh.exec(host, argv, { timeoutMs: readMs })
}

/** The guest's status now, asked from the host that owns it. Error: `guest_gone`. */
export async function readStatus(world: ActionWorld, place: ActionPlace): Promise<Result<GuestStatus>> {
  const got = await read(world, place.host, [program(place), 'status', vmidOf(place)])
  if (!got.ok) return got
  if (got.value.code !== 0) return gone(place, got.value.stderr)
  const status = /^status:\s*(\S+)/m.exec(got.value.stdout)?.[1]
  return ok(status === 'running' || status === 'stopped' ? status : 'unknown')
}

/** The guest's configuration now, or as it was at a snapshot. Error: `guest_gone`. */
export async function readConfig(
  world: ActionWorld,
  place: ActionPlace,
  snapshot?: string
): Promise<Result<GuestConfig>> {
  const at = snapshot === undefined ? [] : ['--snapshot', snapshot]
  const got = await read(world, place.host, [program(place), 'config', vmidOf(place), ...at])
  if (!got.ok) return got
  if (got.value.code !== 0) return gone(place, got.value.stderr)
  const pairs = got.value.stdout.split('\n').flatMap((line): [string, string][] => {
    const found = /^([A-Za-z0-9_.]+):\s?(.*)$/.exec(line)
    return found?.[1] === undefined ? [] : [[found[1], found[2] ?? '']]
  })
  return ok(new Map(pairs))
}

const gone = (place: ActionPlace, stderr: string): Result<never> =>
  fail(
    'guest_gone',
    `${nameOf(place)} cannot be read: ${stderr.trim().split('\n').at(-1) ?? ''}`,
    'It may have been moved or destroyed: look at list_lxcs again.',
    { guest: nameOf(place) }
  )

/** A guest as preflight finds it. `status` is null, and nothing was read, for one that does not exist yet. */
export interface LiveGuest {
  readonly status: GuestStatus
  readonly config: GuestConfig
}

/**
 * The guest as it is now, or as earlier steps of the plan will have left it; refused when another task holds its lock.
 * Errors: `guest_gone`, `guest_locked`.
 */
export async function look(world: ActionWorld, place: ActionPlace): Promise<Result<LiveGuest>> {
  if (place.resolved === null) return ok({ status: place.plannedStatus ?? 'unknown', config: new Map() })
  const [status, config] = await Promise.all([readStatus(world, place), readConfig(world, place)])
  if (!status.ok) return status
  if (!config.ok) return config
  const lock = config.value.get('lock')
  if (lock !== undefined)
    return fail(
      'guest_locked',
      `${nameOf(place)} is locked (${lock}): another task works on it.`,
      'Look at list_tasks, wait until the lock is gone, then request it again.',
      { guest: nameOf(place), lock }
    )
  return ok({ status: place.plannedStatus ?? status.value, config: config.value })
}

/** The preflight of what needs no more than a guest that is there and not locked. Errors: as `findGuest` and `looking`. */
export async function prepareGuest<P>(
  world: ActionWorld,
  target: TargetName,
  params: P,
  looking: typeof look = look
): Promise<Result<PreparedAction<P, null> & { readonly place: GuestPlace }>> {
  const place = await findGuest(world, target)
  if (!place.ok) return place
  const guest = await looking(world, place.value)
  return guest.ok ? ok({ place: place.value, params, facts: null }) : guest
}

/** Like `look`, for what needs a running guest. Error: `guest_stopped`. */
export async function lookRunning(world: ActionWorld, place: ActionPlace): Promise<Result<LiveGuest>> {
  const guest = await look(world, place)
  if (!guest.ok || guest.value.status !== 'stopped') return guest
  return fail(
    'guest_stopped',
    `${nameOf(place)} is not running.`,
    `Request ${program(place) === 'qm' ? 'vm_start' : 'pct_start'} first.`,
    { guest: nameOf(place) }
  )
}
