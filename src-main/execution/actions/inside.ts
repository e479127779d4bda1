import type { ActionPlace, ActionWorld } from './action'
import { read } from './guest-state'
import { vmidOf } from './place'

/**
 * Runs argv inside a container: `pct exec` uses no shell, passes the host's environment on unless told not to, and its
 * own PATH lacks /usr/local (pve-container `PVE/CLI/pct.pm`). So the environment is built from nothing.
 */
export const inside = (vmid: string, argv: readonly string[]): readonly string[] => [
  'pct',
  'exec',
  vmid,
  '--keep-env',
  '0',
  '--',
  'env',
  '-i',
  'HOME=/root',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'LC_ALL=C.UTF-8',
  ...argv
]

/** The argv for a host, or for inside a container that lives on it. */
export const at = (place: ActionPlace, argv: readonly string[]): readonly string[] =>
  place.target.kind === 'lxc' ? inside(vmidOf(place), argv) : argv

/** Reads at the place, inside the container if it is one. */
export const readAt = (world: ActionWorld, place: ActionPlace, argv: readonly string[]) =>
  read(world, place.host, at(place, argv))
