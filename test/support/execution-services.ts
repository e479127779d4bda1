import { join } from 'node:path'
import { systemClock, type Clock } from '../../src-main/base/clock'
import { fileLogger } from '../../src-main/base/log'
import type { Result } from '../../src-main/base/result'
import { openConfig } from '../../src-main/config/config'
import type { ConfigService } from '../../src-main/config/port'
import { createExecutions } from '../../src-main/execution/executions'
import type { Executions } from '../../src-main/execution/port'
import { createFleet } from '../../src-main/fleet/fleet'
import type { Fleet } from '../../src-main/fleet/port'
import { createSecrets } from '../../src-main/secrets/secrets'
import type { Ssh } from '../../src-main/ssh/port'
import { createSsh } from '../../src-main/ssh/ssh'
import { openStore, type Store } from '../../src-main/store/store'
import type { Config, HostConfig } from '../../src-preload/contract'

/** Everything that executions rest on, real, on one home folder. */
export interface ExecutionServices {
  readonly store: Store
  readonly config: ConfigService
  readonly ssh: Ssh
  readonly fleet: Fleet
  readonly executions: Executions
  /** As a quit does; jobs on the hosts go on. Harmless when done twice. */
  close(): Promise<void>
}

export function openServices(
  home: string,
  hosts: readonly HostConfig[],
  options: { clock?: Clock; config?: Partial<Config> } = {}
): ExecutionServices {
  const clock = options.clock ?? systemClock
  const log = fileLogger(join(home, 'logs'))
  const store = good(openStore(home, join(import.meta.dirname, '../../migrations'), clock))
  const config = openConfig(join(home, 'nomos.config.json'))
  good(config.update({ hosts: [...hosts], ...options.config }))
  const secrets = createSecrets({
    home,
    log,
    env: {},
    keychain: () => Promise.reject(new Error('none in tests'))
  })
  const ssh = createSsh({
    store,
    secrets,
    hosts: () => config.get().hosts,
    onHostsChange: (listener) => config.onChange(listener),
    clock,
    log,
    tuning: {
      retryFirst: 50,
      retryLongest: 200,
      keepaliveInterval: 500,
      keepaliveCount: 3,
      connectTimeout: 5000
    }
  })
  const fleet = createFleet({ ssh, store, config, clock, log })
  const executions = createExecutions({ store, ssh, fleet, config, home, clock, log })
  let isOpen = true
  return {
    store,
    config,
    ssh,
    fleet,
    executions,
    async close() {
      if (!isOpen) return
      isOpen = false
      await executions.close()
      fleet.stop()
      await ssh.close()
      store.close()
    }
  }
}

/** The value of a success; throws what a failure says. */
export function good<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.value
}

/** Makes a session if it is not there, for what belongs to one. */
export const ensureSession = ({ db }: Store, id: string): void => {
  db.prepare(
    "INSERT OR IGNORE INTO sessions (id, title, created_at, updated_at) VALUES (?, 'test', 0, 0)"
  ).run(id)
}
