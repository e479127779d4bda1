import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { systemClock } from '../../src-main/base/clock'
import { type Logger, silentLogger } from '../../src-main/base/log'
import { createCore, type Core } from '../../src-main/core'
import type { MessageView, SessionPage } from '../../src-preload/contract'
import { tempFolder } from './temp'

/** The whole core on the lab: real SSH, real jobs, real approvals, the scripted model over HTTP. */
export async function coreInTheLab(home = tempFolder(), log: Logger = silentLogger): Promise<Core> {
  const made = createCore({
    home,
    appFolder: join(import.meta.dirname, '../..'),
    version: '0.0.0',
    logsFolder: home,
    env: { NOMOS_LAB_PACE: '0.02' },
    clock: systemClock,
    log
  })
  if (!made.ok) throw new Error(made.error.message)
  const core = made.value
  onTestFinished(async () => {
    if (core.store.db.open) await core.close()
  })
  await core.start()
  const started = await core.lab.start()
  if (!started.ok) throw new Error(started.error.message)
  return core
}

/** What was said last. */
export const lastWords = (messages: readonly MessageView[]): string =>
  messages
    .at(-1)
    ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .at(-1) ?? ''

/** A new session of the core, as a test follows it. */
export function sessionIn(core: Core) {
  const made = core.agent.createSession()
  if (!made.ok) throw new Error(made.error.message)
  return followed(core, made.value.id)
}

/** A session of the core, as a test follows it. */
export function followed(core: Core, id: string) {
  const page = (): SessionPage => {
    const opened = core.agent.openSession(id, undefined, 200)
    if (!opened.ok) throw new Error(opened.error.message)
    return opened.value
  }
  return {
    id,
    page,
    async becomes(state: string): Promise<void> {
      await vi.waitFor(
        () => {
          const { session } = page()
          if (session.state !== state) throw new Error(`the session is ${session.state}, not ${state}`)
        },
        { timeout: 30_000, interval: 20 }
      )
    },
    /** The operator says something, and the turn that follows ends. */
    async say(text: string): Promise<void> {
      core.agent.send(id, text)
      await this.becomes('idle')
    }
  }
}
