import { systemClock } from './base/clock'
import { ok } from './base/result'
import { createCore } from './core'
import { startDesktop } from './desktop/app'

startDesktop(async (context) => {
  const core = createCore({ ...context, env: process.env, clock: systemClock })
  if (!core.ok) return core
  await core.value.start()
  return ok(core.value)
})
