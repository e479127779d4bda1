import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { systemClock, type Clock } from '../../src-main/base/clock'
import { silentLogger } from '../../src-main/base/log'
import type { Secrets } from '../../src-main/secrets/port'
import { createSecrets } from '../../src-main/secrets/secrets'
import { createSsh } from '../../src-main/ssh/ssh'
import type { Ssh } from '../../src-main/ssh/port'
import type { SshTuning } from '../../src-main/ssh/tuning'
import { openStore, type Store } from '../../src-main/store/store'
import type { AppError, HostConfig, HostConnection, HostKeyOffer } from '../../src-preload/contract'

/** The real client with a real database, and what it told meanwhile. */
export interface TestSsh {
  readonly ssh: Ssh
  readonly store: Store
  readonly secrets: Secrets
  readonly states: { host: string; state: HostConnection; error: AppError | null }[]
  readonly offers: HostKeyOffer[]
  /** Changes the configuration. */
  configure(hosts: readonly HostConfig[]): void
  stop(): Promise<void>
}

export function startSshClient(
  hosts: readonly HostConfig[],
  options: { tuning?: Partial<SshTuning>; clock?: Clock; env?: NodeJS.ProcessEnv } = {}
): TestSsh {
  const folder = mkdtempSync(join(tmpdir(), 'nomos-ssh-'))
  const clock = options.clock ?? systemClock
  const opened = openStore(folder, resolve(import.meta.dirname, '../../migrations'), clock)
  if (!opened.ok) throw new Error(opened.error.message)
  const store = opened.value
  let configured = hosts
  let changed = (): void => undefined
  const secrets = createSecrets({
    home: folder,
    log: silentLogger,
    env: options.env ?? {},
    keychain: () => Promise.reject(new Error('no keychain in tests'))
  })
  const ssh = createSsh({
    store,
    secrets,
    hosts: () => configured,
    onHostsChange: (listener) => (changed = listener),
    clock,
    log: silentLogger,
    env: options.env ?? {},
    tuning: { retryFirst: 50, retryLongest: 400, ...options.tuning }
  })
  const states: TestSsh['states'] = []
  const offers: HostKeyOffer[] = []
  ssh.onConnection((host, state, error) => states.push({ host, state, error }))
  ssh.onHostKey((offer) => offers.push(offer))
  return {
    ssh,
    store,
    secrets,
    states,
    offers,
    configure: (next) => {
      configured = next
      changed()
    },
    stop: async () => {
      await ssh.close()
      store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
