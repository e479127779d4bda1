import { join } from 'node:path'
import { systemClock } from '../../src-main/base/clock'
import { fileLogger } from '../../src-main/base/log'
import { createCore } from '../../src-main/core'
import type { News, Order, Report } from './messages'

// The program under test: the whole core on a home of its own, told what to do by the driver, which kills it.
const home = process.env['SOAK_HOME'] ?? ''
const made = createCore({
  home,
  appFolder: process.env['SOAK_APP'] ?? '',
  version: '0.0.0',
  logsFolder: join(home, 'logs'),
  env: process.env,
  clock: systemClock,
  log: fileLogger(join(home, 'logs'))
})
if (!made.ok) throw new Error(`${made.error.code}: ${made.error.message}`)
const core = made.value
const tell = (news: News) => void process.send?.(news)

core.store.bus.subscribe(({ event }) => tell({ is: 'event', event }))
process.on('message', (order: Order) => void obey(order))
process.on('disconnect', () => process.exit(1))
await core.start()
for (const approval of core.executions.waitingApprovals())
  tell({ is: 'event', event: { type: 'approval.changed', approval } })
tell({ is: 'ready' })

async function obey(order: Order): Promise<void> {
  switch (order.do) {
    case 'say': {
      const session = sessionFor(order.newSession)
      if (session !== null) core.agent.send(session, order.text)
      return
    }
    case 'decide': {
      const { id, hash, decision, route, confirmName } = order
      const decided = core.executions.decide({
        ...{ id, hash, decision, route },
        ...(confirmName !== null && { confirmName })
      })
      return tell({ is: 'decided', id, code: decided.ok ? 'ok' : decided.error.code })
    }
    case 'cancel': {
      const open = core.executions.open().at(-1)
      if (open) await core.executions.cancel(open.id)
      return
    }
    case 'report':
      return tell({ is: 'report', report: report() })
    case 'wake':
      return core.wake()
    case 'quit':
      await core.close()
      process.exit(0)
  }
}

function sessionFor(fresh: boolean): string | null {
  const [latest] = core.agent.listSessions()
  if (latest && !fresh) return latest.id
  const made = core.agent.createSession()
  return made.ok ? made.value.id : null
}

function report(): Report {
  const open = core.executions.open()
  const counted = core.store.db
    .prepare("SELECT count(*) FROM continuations WHERE state IN ('pending', 'claimed')")
    .pluck()
    .get()
  return {
    executions: open.filter(({ state }) => state !== 'awaiting_approval').length,
    waiting: core.executions.waitingApprovals().length,
    continuations: Number(counted),
    turns: core.agent.listSessions().filter(({ state }) => state === 'running').length
  }
}
