import { ok } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'

/** What was noticed on the fleet. */
export const signalHandlers = ({ signals }: Services): Group<'signal'> => ({
  'signal.list': async () => ok([...signals.list('all')]),
  'signal.acknowledge': async ({ id }) => signals.acknowledge(id),
  'signal.unacknowledge': async ({ id }) => signals.unacknowledge(id)
})
