import { systemClock } from './base/clock'
import { messageOf, ok } from './base/result'
import { keepCompiled } from './base/compile-cache'
import { startDesktop } from './desktop/app'
import { isStartedAs, startHeadless } from './desktop/headless'

if (isStartedAs('mcp')) {
  startHeadless(async (context) => {
    const { serveMcp } = await import('./cli/serve-mcp')
    return await serveMcp(context)
  })
} else {
  startDesktop(async (context) => {
    // Most of the program's code is the core's: it is read while the window already loads its page.
    keepCompiled(context.home)
    const { createCore } = await import('./core')
    const core = createCore({ ...context, env: process.env, clock: systemClock })
    if (!core.ok) return core
    // The window shows what the database holds at once; a host that does not answer must not keep it waiting.
    core.value
      .start()
      .catch((error: unknown) =>
        context.log.log('error', 'core', 'start failed', { error: messageOf(error) })
      )
    return ok(core.value)
  })
}
