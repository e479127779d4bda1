import type { ActionPlaceView } from '../../../src-preload/contract'
import type { Catalogue } from '../catalogue'
import { actions } from './actions'
import { errors } from './errors'
import { sayings } from './sayings'
import { signals } from './signals'
import { steps } from './steps'
import { tools } from './tools'

/** "typetype (105) auf strong", or "strong". */
const where = ({ vmid, guestName, node, host }: ActionPlaceView): string =>
  vmid === null ? host : `${guestName ?? 'Gast'} (${vmid}) auf ${node}`

export const german: Catalogue = { where, actions, errors, signals, sayings, tools, steps }
