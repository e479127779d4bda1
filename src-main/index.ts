import { systemClock } from './base/clock'
import { messageOf, ok } from './base/result'
import { createCore } from './core'
import { startDesktop } from './desktop/app'

startDesktop(async (context) => {
  const core = createCore({ ...context, env: process.env, clock: systemClock })
  if (!core.ok) return core
  // The window shows what the database holds at once; a host that does not answer must not keep it waiting.
  core.value
    .start()
    .catch((error: unknown) => context.log.log('error', 'core', 'start failed', { error: messageOf(error) }))
  return ok(core.value)
})
