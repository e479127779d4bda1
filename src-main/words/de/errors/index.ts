import type { Catalogue } from '../../catalogue'
import { agentErrors } from './agent'
import { executionErrors } from './execution'
import { fleetErrors } from './fleet'
import { restErrors } from './rest'

/** What went wrong and what to do, by code. */
export const errors: Catalogue['errors'] = {
  ...restErrors,
  ...agentErrors,
  ...fleetErrors,
  ...executionErrors
}
