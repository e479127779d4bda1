import { onTestFinished, vi } from 'vitest'
import type { Clock } from '../../../src-main/base/clock'
import { newId } from '../../../src-main/base/ids'
import type {
  Config,
  ExecutionState,
  ExecutionView,
  HostConfig,
  NomosEvent
} from '../../../src-preload/contract'
import { ensureSession, good, openServices, type ExecutionServices } from '../../support/execution-services'
import { startPveHost, type PveHost } from '../../support/pve-host'
import { tempFolder } from '../../support/temp'

export { good }

/** The real services over a real sshd with stand-ins for Proxmox's tools. */
export interface World extends ExecutionServices {
  readonly host: PveHost
  readonly home: string
  readonly session: string
  readonly events: NomosEvent[]
  /** Requests as the agent does, and fails the test when that is refused. */
  request(
    action: string,
    target: string,
    params?: Record<string, unknown>,
    more?: { tainted?: boolean; why?: string }
  ): Promise<ExecutionView>
  /** Approves what waits for an execution, typing the name where one is asked for. */
  approve(execution: ExecutionView): void
  /** Requests, approves and waits for the end. */
  carryOut(action: string, target: string, params?: Record<string, unknown>): Promise<ExecutionView>
  reaches(id: string, state: ExecutionState): Promise<ExecutionView>
  note(subjectId: string): string | null
  /** Closes every service as a quit does, and opens them anew on the same home. */
  reopen(): Promise<World>
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
  const hostConfig = options.hostConfig?.(host) ?? host.sshd.hostConfig('strong')
  const services = openServices(home, [hostConfig], options)
  const { store, executions } = services
  onTestFinished(services.close)
  const session = options.session ?? newId()
  ensureSession(store, session)
  const events: NomosEvent[] = []
  store.bus.subscribe(({ event }) => events.push(event))
  await executions.recover()

  const world: World = {
    ...services,
    host,
    home,
    session,
    events,
    request: async (action, target, params = {}, more = {}) =>
      good(
        await executions.request({
          action,
          target,
          params,
          why: '',
          origin: 'agent',
          sessionId: session,
          ...more
        })
      ),
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
          if (found.state !== state)
            throw new Error(`${found.title} is ${found.state}: ${JSON.stringify(found.error)}`)
          return found
        },
        { timeout: 20_000, interval: 20 }
      ),
    note: (subjectId) =>
      store.db
        .prepare<[string], { note: string }>('SELECT note FROM continuations WHERE subject_id = ?')
        .get(subjectId)?.note ?? null,
    async reopen() {
      await services.close()
      return openWorld({ ...options, host, home, session })
    }
  }
  return world
}
