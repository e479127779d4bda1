import type { HandlerMap } from './handler-map'
import { appHandlers } from './handlers/app'
import { dataHandlers } from './handlers/data'
import { executionHandlers } from './handlers/executions'
import { fleetHandlers } from './handlers/fleet'
import { knowledgeHandlers } from './handlers/knowledge'
import { mcpHandlers } from './handlers/mcp'
import { sessionHandlers } from './handlers/sessions'
import { settingsHandlers } from './handlers/settings'
import { targetHandlers } from './handlers/targets'
import { signalHandlers } from './handlers/signals'
import type { Services } from './services'
import type { Shell } from './shell'

/** Everything a window can ask for, answered by the services. */
export const createHandlers = (services: Services, shell: Shell): HandlerMap => ({
  ...appHandlers(services, shell),
  ...sessionHandlers(services),
  ...executionHandlers(services),
  ...fleetHandlers(services),
  ...targetHandlers(services),
  ...signalHandlers(services),
  ...dataHandlers(services, shell),
  ...settingsHandlers(services),
  ...knowledgeHandlers(services),
  ...mcpHandlers(services, shell)
})
