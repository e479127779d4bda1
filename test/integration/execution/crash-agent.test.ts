import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../../src-main/base/clock'
import { silentLogger } from '../../../src-main/base/log'
import { createCore, type Core } from '../../../src-main/core'
import type { ApprovalView } from '../../../src-preload/contract'
import { lookInTheEnd } from '../../soak/checks'
import type { News, Order } from '../../soak/messages'
import { startScriptedAgent } from '../../soak/model'
import { randomFrom } from '../../soak/random'
import { bundleProgram, root } from '../../support/bundle'
import { startPveHost, type PveHost } from '../../support/pve-host'
import { tempFolder } from '../../support/temp'

let program = ''
beforeAll(async () => {
  program = await bundleProgram('test/soak/program.ts', 'crash-agent')
})

const key = 'crash-canary-0123456789'

interface Left {
  readonly home: string
  readonly host: PveHost
  readonly shown: Set<string>
}

async function scene(): Promise<Left> {
  const host = await startPveHost()
  onTestFinished(() => host.stop())
  host.addContainer(200, 'caddy', 'stopped')
  const model = await startScriptedAgent(randomFrom(7), key)
  onTestFinished(() => model.stop())
  const home = tempFolder()
  const { baseURL } = model
  writeFileSync(
    join(home, 'nomos.config.json'),
    JSON.stringify({
      model: {
        ...{ provider: 'openai-compatible', baseURL, model: 'scripted' },
        ...{ apiKey: 'env:CRASH_KEY', contextWindow: 128_000 }
      },
      hosts: [host.sshd.hostConfig('strong')],
      signals: { enabled: false, intervalSeconds: 60 }
    })
  )
  return { home, host, shown: new Set() }
}

const approvalOf = ({ id, hash, confirmName }: ApprovalView) =>
  ({ id, hash, decision: 'approve', route: 'ops', confirmName }) as const

/** The whole program in a process of its own, told to do one thing; what asks is approved. Killed at the point. */
async function dieAt(point: string, words: string, { home, shown }: Left): Promise<void> {
  const child = fork(program, [], {
    execArgv: [],
    env: { ...process.env, NOMOS_CRASH_AT: point, SOAK_HOME: home, SOAK_APP: root, CRASH_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const order = (wish: Order) => child.connected && child.send(wish, () => undefined)
  child.on('message', (news: News) => {
    if (news.is === 'ready') order({ do: 'say', text: words, newSession: true })
    if (news.is !== 'event') return
    if (news.event.type === 'message.changed') shown.add(news.event.message.id)
    if (news.event.type === 'approval.changed' && news.event.approval.state === 'awaiting_approval')
      order({ do: 'decide', ...approvalOf(news.event.approval) })
  })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
}

/** The program started again; approves what asks, and is closed when everything has come to rest. */
async function comesToRest({ home }: Left): Promise<void> {
  const made = createCore({
    ...{ home, appFolder: root, version: '0.0.0', logsFolder: join(home, 'logs') },
    ...{ env: { CRASH_KEY: key }, clock: systemClock, log: silentLogger }
  })
  if (!made.ok) throw new Error(made.error.message)
  const core = made.value
  try {
    await core.start()
    await vi.waitFor(() => expect(leftOpen(core)).toEqual([]), { timeout: 40_000, interval: 100 })
  } finally {
    await core.close()
  }
}

function leftOpen(core: Core): unknown[] {
  for (const approval of core.executions.waitingApprovals()) {
    const { confirmName, ...decision } = approvalOf(approval)
    core.executions.decide({ ...decision, ...(confirmName !== null && { confirmName }) })
  }
  const told = core.store.db
    .prepare("SELECT state, note FROM continuations WHERE state IN ('pending', 'claimed')")
    .all()
  const turns = core.agent.listSessions().filter(({ state }) => state === 'running')
  return [...core.executions.open(), ...told, ...turns]
}

const start = 'do pct_start lxc:200 {}'
const plan = `plan ${JSON.stringify([
  { action: 'pct_start', target: 'lxc:200', params: {}, why: '' },
  { action: 'pct_snapshot', target: 'lxc:200', params: { name: 'after' }, why: '' }
])}`

it.each([
  ['F9', 'tool-saved', 'a single request', start],
  ['F9', 'tool-ran', 'a single request', start],
  ['F5', 'before-claim-commit', 'a single request', start],
  ['F5', 'before-claim-commit#2', 'a plan', plan],
  ['F6', 'after-claim', 'a single request', start],
  ['F6', 'after-claim#2', 'a plan', plan],
  ['F7', 'mid-stream', 'a single request', start],
  ['F9', 'tool-saved#2', 'a plan', plan],
  ['F7', 'mid-stream#2', 'a plan', plan],
  ['F9', 'tool-ran#2', 'a plan', plan]
])(
  '%s: the whole program killed at %s of %s, nothing runs twice and every result is told once',
  async (_row, point, _flow, words) => {
    const left = await scene()
    await dieAt(point, words, left)
    await comesToRest(left)
    const { home, host, shown } = left
    expect(lookInTheEnd({ home, shown, secret: key, starts: host.starts() }).violations).toEqual([])
    expect(host.calls(/^pct start/).length).toBeLessThanOrEqual(1)
  }
)
