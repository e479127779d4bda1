import { MediaQuery } from 'svelte/reactivity'
import type { App } from './app.svelte'

const wide = new MediaQuery('(min-width: 1180px)')

/** True while there is room for the inspector beside the page. */
export const inspectorFits = (): boolean => wide.current

/** True when the session has something to inspect. */
function hasInspectable(app: App, sessionId: string): boolean {
  return (
    [...app.store.executions.values()].some((execution) => execution.sessionId === sessionId) ||
    [...app.store.plans.values()].some((plan) => plan.sessionId === sessionId)
  )
}

/** It opens by itself when there is something to inspect, unless the operator folded it. */
export function inspectorShown(app: App): boolean {
  const sessionId = app.nav.sessionId
  if (sessionId === null) return false
  if (!wide.current) return app.nav.sheet
  return app.nav.inspector ?? hasInspectable(app, sessionId)
}
