import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { systemClock, type Clock } from '../../../src-main/base/clock'
import { newId } from '../../../src-main/base/ids'
import { fileLogger } from '../../../src-main/base/log'
import type { Result } from '../../../src-main/base/result'
import { openConfig } from '../../../src-main/config/config'
import { createExecutions } from '../../../src-main/execution/executions'
import type { Executions } from '../../../src-main/execution/port'
import { createFleet } from '../../../src-main/fleet/fleet'
import type { Fleet } from '../../../src-main/fleet/port'
import { createSecrets } from '../../../src-main/secrets/secrets'
import { createSsh } from '../../../src-main/ssh/ssh'
import type { Ssh } from '../../../src-main/ssh/port'
import { openStore, type Store } from '../../../src-main/store/store'
import type { Config, ExecutionState, ExecutionView, HostConfig, NomosEvent } from '../../../src-preload/contract'
import { startPveHost, type PveHost } from '../../support/pve-host'
import { migrationsFolder } from '../../support/store'
import { tempFolder } from '../../support/temp'

/** The real services over a real sshd with stand-ins for Proxmox's tools. */
export interface World {
  readonly host: PveHost
  readonly home: string
  readonly store: Store
  readonly executions: Executions
  readonly ssh: Ssh
  readonly fleet: Fleet
  readonly session: string
  readonly events: NomosEvent[]
  /** Requests as the agent does, and fails the test when that is refused. */
  request(action: string, target: string, params?: Record<string, unknown>, more?: { tainted?: boolean; why?: string }): Promise<ExecutionView>
  /** Approves what waits for an execution, typing the name where one is asked for. */
  approve(execution: ExecutionView): void
  /** Requests, approves and waits for the end. */
  carryOut(action: string, target: string, params?: Record<string, unknown>): Promise<ExecutionView>
  reaches(id: string, state: ExecutionState): Promise<ExecutionView>
  note(subjectId: string): string | null
  /** Closes every service as a quit does, and opens them anew on the same home. */
  reopen(): Promise<World>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly host?: PveHost
  readonly home?: string
  readonly session?: string
  readonly clock?: Clock
  readonly config?: Partial<Config>
  readonly hostConfig?: (host: PveHost) => HostConfig
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const host = options.host ?? (await startPveHost())
  if (!options.host) onTestFinished(() => host.stop())
  const home = options.home ?? tempFolder()
  const clock = options.clock ?? systemClock
  const log = fileLogger(join(home, 'logs'))
  const opened = openStore(home, migrationsFolder, clock)
  if (!opened.ok) throw new Error(opened.error.message)
  const store = opened.value
  const config = openConfig(join(home, 'nomos.config.json'))
  const hostConfig = options.hostConfig?.(host) ?? host.sshd.hostConfig('strong')
  good(config.update({ hosts: [hostConfig], ...options.config }))
  const secrets = createSecrets({ home, log, env: {}, keychain: () => Promise.reject(new Error('none in tests')) })
  const ssh = createSsh({
    store,
    secrets,
    hosts: () => config.get().hosts,
    onHostsChange: (listener) => config.onChange(listener),
    clock,
    log,
    tuning: { retryFirst: 50, retryLongest: 200, keepaliveInterval: 500, keepaliveCount: 3, connectTimeout: 5000 }
  })
  const fleet = createFleet({ ssh, store, config, clock, log })
  const executions = createExecutions({ store, ssh, fleet, config, home, clock, log })
  const session = options.session ?? newId()
  store.db
    .prepare("INSERT OR IGNORE INTO sessions (id, title, created_at, updated_at) VALUES (?, 'test', 0, 0)")
    .run(session)
  const events: NomosEvent[] = []
  store.bus.subscribe(({ event }) => events.push(event))
  await executions.recover()

  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await executions.close()
    fleet.stop()
    await ssh.close()
    store.close()
  }
  onTestFinished(close)

  const world: World = {
    host,
    home,
    store,
    executions,
    ssh,
    fleet,
    session,
    events,
    request: async (action, target, params = {}, more = {}) =>
      good(await executions.request({ action, target, params, why: '', origin: 'agent', sessionId: session, ...more })),
    approve(execution) {
      const approval = good(executions.approval(execution.approvalId ?? ''))
      good(
        executions.decide({
          id: approval.id,
          hash: approval.hash,
          decision: 'approve',
          route: 'chat',
          ...(approval.confirmName !== null && { confirmName: approval.confirmName })
        })
      )
    },
    async carryOut(action, target, params = {}) {
      const requested = await world.request(action, target, params)
      if (requested.state === 'awaiting_approval') world.approve(requested)
      return executions.settled(requested.id, 30_000)
    },
    reaches: (id, state) =>
      vi.waitFor(
        () => {
          const found = good(executions.get(id))
          if (found.state !== state) throw new Error(`${found.title} is ${found.state}: ${JSON.stringify(found.error)}`)
          return found
        },
        { timeout: 20_000, interval: 20 }
      ),
    note: (subjectId) =>
      store.db.prepare<[string], { note: string }>('SELECT note FROM continuations WHERE subject_id = ?').get(subjectId)
        ?.note ?? null,
    async reopen() {
      await close()
      return openWorld({ ...options, host, home, session })
    },
    close
  }
  return world
}

export function good<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.value
}
