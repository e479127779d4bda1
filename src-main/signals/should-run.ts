import type { GuestView } from '../../src-preload/contract'
import { between, type Clock } from '../base/clock'
import type { Executions } from '../execution/port'
import type { Fleet } from '../fleet/port'
import { guestSubject } from './names'

/** How long what a guest's configuration says is believed. Milliseconds. */
const believed = 15 * 60_000

const stops = ['pct_stop', 'pct_shutdown', 'vm_stop', 'vm_shutdown']
const starts = ['pct_start', 'pct_reboot', 'pct_create', 'vm_start', 'vm_reboot', 'restart']

/**
 * Tells whether a stopped guest should run: it is set to start at boot (`onboot`), and it was not Nomos that stopped it
 * last. Null while its host does not say, and while Nomos is doing something with it.
 */
export function shouldRun(
  fleet: Fleet,
  executions: Executions,
  clock: Clock
): (guest: GuestView) => Promise<boolean | null> {
  const known = new Map<string, { onboot: boolean; at: number }>()

  async function startsAtBoot(guest: GuestView): Promise<boolean | null> {
    const subject = guestSubject(guest)
    const before = known.get(subject)
    if (before && between(clock.now(), before.at) < believed) return before.onboot
    if (guest.host === null) return null
    const kind = guest.kind === 'lxc' ? 'lxc' : 'qemu'
    const answer = await fleet.pvesh(guest.host, `/nodes/${guest.node}/${kind}/${guest.vmid}/config`)
    if (!answer.ok || typeof answer.value !== 'object' || answer.value === null) return null
    const onboot = 'onboot' in answer.value && String(answer.value.onboot) === '1'
    known.set(subject, { onboot, at: clock.now() })
    return onboot
  }

  const isBeingActedOn = ({ vmid, cluster }: GuestView): boolean =>
    executions
      .list({ guest: { vmid, cluster }, state: 'active', limit: 500 })
      .executions.some(({ state, risk }) => state !== 'awaiting_approval' && risk !== 'read_only')

  function wasStoppedFromHere({ vmid, cluster }: GuestView): boolean {
    const { executions: latest } = executions.list({
      ...{ guest: { vmid, cluster }, actions: [...stops, ...starts], state: 'succeeded', limit: 1 }
    })
    return latest.some(({ action }) => stops.includes(action))
  }

  return async (guest) => {
    const onboot = await startsAtBoot(guest)
    if (onboot && isBeingActedOn(guest)) return null
    return onboot && wasStoppedFromHere(guest) ? false : onboot
  }
}
