import type { ActionRequest, GuestView } from '../../src-preload/contract'
import { between } from '../base/clock'
import type { ConfigService } from '../config/port'
import type { Executions } from '../execution/port'
import { rule } from '../execution/policy'
import { isCriticalUnit } from '../execution/shell/critical'
import type { Fleet } from '../fleet/port'
import type { Store } from '../store/store'
import { tell } from './noting'
import type { SignalRow, SignalTable } from './table'

/** How often a signal may act by itself in a day: what does not hold after that needs a person. */
const actsADay = 3

/** The same for all signals of one host or guest: services may fail under ever new names. */
const actsADayOnOne = 10
const day = 24 * 3600_000

/** Actions that may answer a signal by themselves: service actions only. */
const allowed: readonly string[] = ['pct_start', 'vm_start', 'systemctl']

export interface ActingDependencies {
  readonly store: Store
  readonly table: SignalTable
  readonly fleet: Fleet
  readonly executions: Executions
  readonly config: ConfigService
}

/**
 * What a rule of the operator makes of a new signal: `allow` carries its action out, `ask` asks for it, `deny` or no
 * rule only tells. A default is no rule: nothing acts by itself that the operator has not written down.
 */
export async function act(dependencies: ActingDependencies, signal: SignalRow): Promise<void> {
  const { store, table, executions } = dependencies
  const { action } = signal
  if (action === null || !allowed.includes(action.action) || !isWished(dependencies, signal, action)) return
  const now = store.clock.now()
  const isNewDay = signal.acting_since === null || between(now, signal.acting_since) > day
  if (!isNewDay && signal.acts >= actsADay) return
  if (table.actsOn(signal.subject, now - day, now + day) >= actsADayOnOne) return
  const requested = await executions.request({ ...action, origin: 'signal', sessionId: null })
  if (!requested.ok) return
  store.transact((tx) => {
    const acts = isNewDay ? 1 : signal.acts + 1
    const since = isNewDay ? now : (signal.acting_since ?? now)
    table.acted(signal.id, requested.value.id, acts, since, now)
    tell(table, tx, signal.id)
  })
}

function isWished({ fleet, config }: ActingDependencies, signal: SignalRow, action: ActionRequest): boolean {
  const guest = fleet.guests().find((each) => signal.target === `${each.kind}:${each.vmid}@${each.node}`)
  const ruling = rule(config.get().policies, {
    risk: 'service_action',
    host: signal.host ?? '',
    targets: guest ? namesOf(guest) : [action.target]
  })
  if (!ruling.explicit) return false
  return ruling.decision === 'ask' || (ruling.decision === 'allow' && !cutsOff(action))
}

/** Restarting what the way to a host rests on may cut the operator off: somebody has to be there for that. */
const cutsOff = ({ action, target, params }: ActionRequest): boolean =>
  action === 'systemctl' && target.startsWith('host:') && isCriticalUnit(String(params['unit']))

/** Every way to write a guest as a target. */
const namesOf = ({ kind, name, vmid }: GuestView): readonly string[] => [`${kind}:${name}`, `${kind}:${vmid}`]
