import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crashPoints } from '../../src-main/base/crash-points'
import type { ApprovalRoute, ApprovalView } from '../../src-preload/contract'
import { bundleProgram, root } from '../support/bundle'
import { startPveHost } from '../support/pve-host'
import { startSshd } from '../support/sshd'
import { startTcpProxy } from '../support/tcp-proxy'
import { lookAfterKill, lookInTheEnd, type Witness } from './checks'
import { startChild, type Child } from './child'
import type { News, Report } from './messages'
import { startScriptedAgent } from './model'
import { randomFrom } from './random'

// Kills the program and its network at random for some minutes, and looks after each kill whether everything holds.
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string' }, kills: { type: 'string' } }
})
const seed = Number(given.seed ?? Date.now() % 1_000_000)
const killsWanted = Number(given.kills ?? 0)
const random = randomFrom(seed)
/** Ends early with the signal. */
const pause = (ms: number, stop?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    stop?.addEventListener('abort', end)
  })

const home = mkdtempSync(join(tmpdir(), 'nomos-soak-'))
const secret = `soak-canary-${'x'.repeat(8)}${seed}`
const sudoTools = mkdtempSync(join(tmpdir(), 'nomos-soak-sudo-'))
writeFileSync(join(sudoTools, 'sudo'), '#!/bin/sh\n[ "$1 $2" = "-n --" ] || exit 9\nshift 2\nexec "$@"\n', {
  mode: 0o755
})
const host = await startPveHost()
/** Reached through the gate only. */
const inner = await startPveHost({ node: 'inner' })
const gate = await startSshd()
/** A user who is not root: everything runs behind `sudo -n`. */
const sudoed = await startPveHost({ node: 'sudoed', path: sudoTools })
const nodes = [host, inner, sudoed] as const
const network = await startTcpProxy(host.sshd.port)
const model = await startScriptedAgent(random, secret)

const containers = [200, 201, 202, 203, 204, 205] as const
for (const node of [inner, sudoed]) {
  node.addContainer(300, 'ct300', 'running')
  node.addContainer(301, 'ct301', 'stopped')
}
for (const vmid of containers) host.addContainer(vmid, `ct${vmid}`, vmid % 2 === 0 ? 'running' : 'stopped')
for (const [tool, seconds] of Object.entries({
  start: 0.4,
  shutdown: 0.3,
  reboot: 0.3,
  create: 0.8,
  destroy: 0.2
}))
  for (const node of nodes) node.delay(`pct-${tool}`, seconds)
writeFileSync(
  join(home, 'nomos.config.json'),
  JSON.stringify({
    model: {
      provider: 'openai-compatible',
      baseURL: model.baseURL,
      model: 'soak',
      apiKey: 'env:SOAK_KEY',
      contextWindow: 128_000
    },
    hosts: [
      host.sshd.hostConfig('strong', { port: network.port }),
      gate.hostConfig('gate'),
      inner.sshd.hostConfig('inner', { jump: 'gate' }),
      sudoed.sshd.hostConfig('sudoed', { sudo: true })
    ],
    signals: { enabled: false, intervalSeconds: 60 }
  })
)
const bundle = `soak-${process.pid}`
const program = await bundleProgram('test/soak/program.ts', bundle)

const count = {
  kills: 0,
  quits: 0,
  cuts: 0,
  freezes: 0,
  slowed: 0,
  split: 0,
  restarts: 0,
  reboots: 0,
  approved: 0,
  denied: 0,
  refused: 0,
  cancels: 0
}
const crashedAt: Record<string, number> = {}
const violations: string[] = []
const shown = new Set<string>()
const waiting = new Map<string, ApprovalView>()
let reports: ((report: Report) => void)[] = []
/** Events that the program may still tell of before it is killed. */
let eventsLeft = Infinity
let outlived: () => void = () => undefined

const routes = [
  'chat',
  'ops',
  'notification',
  'dialog',
  'tray',
  'matrix'
] as const satisfies readonly ApprovalRoute[]

function hear(news: News): void {
  if (news.is === 'report') {
    for (const take of reports) take(news.report)
    reports = []
  }
  if (news.is === 'decided' && news.code !== 'ok') count.refused++
  if (news.is !== 'event') return
  const { event } = news
  const acts = event.type === 'execution.changed' && event.execution.state !== 'awaiting_approval'
  if (--eventsLeft <= 0 || (acts && eventsLeft === Infinity)) outlived()
  if (JSON.stringify(event).includes(secret)) violations.push(`the key is in an event (${event.type})`)
  if (event.type === 'message.changed') shown.add(event.message.id)
  if (event.type === 'message.removed') shown.delete(event.messageId)
  if (event.type === 'approval.changed') {
    if (event.approval.state === 'awaiting_approval') waiting.set(event.approval.id, event.approval)
    else waiting.delete(event.approval.id)
  }
}

/** Starts of every job on whichever host. */
const starts = (): ReadonlyMap<string, number> => {
  const sum = new Map<string, number>()
  for (const node of nodes) for (const [id, count] of node.starts()) sum.set(id, (sum.get(id) ?? 0) + count)
  return sum
}
const witness = (): Witness => ({ home, starts: starts(), secret, shown })

function launch(crashAt: string | null): Child {
  return startChild(
    program,
    {
      ...process.env,
      SOAK_HOME: home,
      SOAK_APP: root,
      SOAK_KEY: secret,
      ...(crashAt !== null && { NOMOS_CRASH_AT: crashAt })
    },
    hear
  )
}

let made = 0
/** Something an operator may ask for. */
function wish(): string {
  const vmid = containers[Math.floor(random.next() * containers.length)] ?? 200
  const name = `soak${++made}`
  const away = random.pick(['inner', 'sudoed'])
  const other = random.pick(['300', '301'])
  return random.pick([
    `do pct_start lxc:${vmid} {}`,
    `do pct_shutdown lxc:${vmid} {}`,
    `do pct_reboot lxc:${vmid} {}`,
    `do pct_start lxc:${vmid} {}\ndo pct_shutdown lxc:${vmid === 205 ? 200 : vmid + 1} {}`,
    `do pct_create lxc:${name}@strong {}`,
    `do pct_snapshot lxc:${vmid} {"name":"s${made}"}`,
    `do pct_destroy lxc:soak${Math.max(1, made - Math.floor(random.between(1, 12)))} {}`,
    `do pct_start lxc:${other}@${away} {}`,
    `do pct_shutdown lxc:${other}@${away} {}`,
    `do pct_create lxc:${name}@${away} {}`,
    `do run host:${away} {"command":"sh -c 'seq 1 2000; sleep 1'"}`,
    `do run host:strong {"command":"seq 1 20000"}`,
    `do run host:strong {"command":"sleep 1"}`,
    `do run host:strong {"command":"sh -c 'exit 3'"}`,
    `plan [{"action":"pct_create","target":"lxc:${name}@strong","params":{},"why":""},{"action":"pct_start","target":"lxc:${name}","params":{},"why":""}]`,
    `plan [{"action":"pct_reboot","target":"lxc:${vmid}","params":{},"why":""},{"action":"pct_snapshot","target":"lxc:${vmid}","params":{"name":"p${made}"},"why":""}]`
  ])
}

/** The operator: asks, decides over one route or another, twice at times, with a wrong hash at times, and cancels. */
async function operate(child: Child, stop: AbortSignal): Promise<void> {
  child.order({ do: 'say', text: wish(), newSession: random.chance(0.9) })
  while (!stop.aborted) {
    await pause(random.between(20, 200), stop)
    if (random.chance(0.02)) child.order({ do: 'say', text: wish(), newSession: random.chance(0.1) })
    if (random.chance(0.01)) {
      count.cancels++
      child.order({ do: 'cancel' })
    }
    for (const approval of [...waiting.values()]) decideOn(child, approval)
  }
}

function decideOn(child: Child, { id, hash, confirmName }: ApprovalView): void {
  if (random.chance(0.3)) return
  if (random.chance(0.15)) return child.order({ do: 'say', text: 'go ahead', newSession: false })
  const decision = random.chance(0.88) ? 'approve' : 'deny'
  const order = { do: 'decide', id, hash, decision, route: random.pick(routes), confirmName } as const
  if (random.chance(0.05)) child.order({ ...order, hash: 'f'.repeat(64) })
  child.order(order)
  if (random.chance(0.1)) child.order(order)
  if (decision === 'approve') count.approved++
  else count.denied++
}

/** The network and the host at their worst. */
async function disturb(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await pause(random.between(50, 900), stop)
    if (stop.aborted) return
    const fate = random.next()
    if (fate < 0.3) {
      count.cuts++
      network.cut()
    } else if (fate < 0.4) {
      count.freezes++
      network.freeze()
      await pause(random.between(100, 1500), stop)
      network.thaw()
    } else if (fate < 0.48) {
      count.slowed++
      network.slow(random.between(5, 60))
    } else if (fate < 0.56) {
      count.split++
      network.split(Math.ceil(random.between(1, 200)))
    } else if (fate < 0.6) {
      count.restarts++
      await random.pick([host.sshd, inner.sshd, sudoed.sshd, gate]).restart()
    } else if (fate < 0.63) {
      count.reboots++
      random.pick(nodes).reboot()
    }
  }
}

function calm(): void {
  network.thaw()
  network.slow(0)
  network.split(Infinity)
}

async function round(): Promise<void> {
  const crashAt = random.chance(0.45) ? random.pick(crashPoints) : null
  const child = launch(crashAt)
  const over = new AbortController()
  void child.ended.then(() => over.abort())
  let disturbing = Promise.resolve()
  if (await child.ready) {
    if (random.chance(0.5)) disturbing = disturb(over.signal)
    const operating = operate(child, over.signal)
    // Counted in what it does, not in seconds: so it gets as far on a slow machine.
    const lived = new Promise<void>((resolve) => (outlived = resolve))
    const early = random.chance(0.25)
    eventsLeft = early ? Math.ceil(random.between(2, 60)) : Infinity
    await Promise.race([child.ended, lived, pause(early ? 6000 : 15_000, over.signal)])
    await pause(early ? 0 : random.between(0, 1500), over.signal)
    if (random.chance(0.04)) {
      count.quits++
      child.order({ do: 'quit' })
      await Promise.race([child.ended, pause(10_000)])
    }
    child.kill()
    await operating
  }
  const signal = await child.ended
  over.abort()
  await disturbing
  calm()
  if (signal === 'SIGKILL') count.kills++
  else if (child.stderr !== '') violations.push(`it ended by itself: ${child.stderr.slice(-600)}`)
  if (signal === 'SIGKILL' && crashAt !== null) crashedAt[crashAt] = (crashedAt[crashAt] ?? 0) + 1
  for (const id of [...waiting.keys()]) waiting.delete(id)
  violations.push(...lookAfterKill(witness()).violations)
}

/** Without faults everything comes to its end by itself. */
async function comeToRest(): Promise<void> {
  calm()
  const child = launch(null)
  if (!(await child.ready)) return void violations.push(`it did not start: ${child.stderr}`)
  const report = () =>
    new Promise<Report>((resolve) => {
      reports.push(resolve)
      child.order({ do: 'report' })
    })
  let quiet = 0
  const limit = Date.now() + 240_000
  for (let last: Report | null = null; quiet < 4;) {
    if (Date.now() > limit) {
      violations.push(`not at rest after four minutes: ${JSON.stringify(last)}`)
      break
    }
    await pause(500)
    for (const { id, hash } of [...waiting.values()])
      child.order({ do: 'decide', id, hash, decision: 'deny', route: 'ops', confirmName: null })
    last = await report()
    quiet = Object.values(last).every((left) => left === 0) ? quiet + 1 : 0
  }
  child.order({ do: 'quit' })
  await Promise.race([child.ended, pause(15_000)])
  child.kill()
}

process.stdout.write(`soak: seed ${seed}, ${given.minutes} minutes\n`)
const began = Date.now()
const until = began + Number(given.minutes) * 60_000
let rounds = 0
while (Date.now() < until || count.kills < killsWanted) {
  rounds++
  await round()
  if (rounds % 20 === 0 || violations.length > 0)
    process.stdout.write(`  round ${rounds}: ${count.kills} kills, ${violations.length} violations\n`)
  if (violations.length > 0) break
}
await comeToRest()
const end = lookInTheEnd(witness())
violations.push(...end.violations, ...model.invalid)

const figures = {
  seed,
  seconds: Math.round((Date.now() - began) / 1000),
  rounds,
  ...count,
  crashedAt,
  jobsOnTheHosts: starts().size,
  jobsThroughTheJump: inner.starts().size,
  jobsBehindSudo: sudoed.starts().size,
  executions: end.states,
  modelRequests: model.asked,
  violations: violations.length
}
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
for (const violation of new Set(violations)) process.stdout.write(`VIOLATION ${violation}\n`)
await model.stop()
await network.stop()
await Promise.all([...nodes.map((node) => node.stop()), gate.stop()])
rmSync(sudoTools, { recursive: true, force: true })
rmSync(join(root, 'out', bundle), { recursive: true, force: true })
if (violations.length === 0) rmSync(home, { recursive: true, force: true })
else process.stdout.write(`The program's home is kept: ${home}\n`)
process.exit(violations.length === 0 ? 0 : 1)
