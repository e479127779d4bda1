import type { HostConfig, HostConnection, HostKeyOffer, KnownHostsReport } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import type { Logger } from '../base/log'
import { ok, type AppError, type Result } from '../base/result'
import type { Secrets } from '../secrets/port'
import type { Store } from '../store/store'
import { commandFor, notStarted, runOnLink } from './command'
import { Connector } from './connector'
import { PoolEntry } from './entry'
import { hostUnknown, hostUnreachable } from './errors'
import { HostKeys } from './host-keys'
import { importKnownHosts } from './known-hosts'
import type { Link } from './link'
import type { ExecOptions, ExecOutcome, Probe, Ssh, StreamOptions } from './port'
import { Collected, timeIsUp, type RunIo, type RunOutcome } from './run'
import { defaultTuning, type SshTuning } from './tuning'

export interface SshDependencies {
  readonly store: Store
  readonly secrets: Secrets
  /** The hosts of the configuration in force. */
  readonly hosts: () => readonly HostConfig[]
  /** Calls back after the configuration changed; hosts whose configuration is another now are disconnected. */
  readonly onHostsChange?: (listener: () => void) => unknown
  readonly clock: Clock
  readonly log: Logger
  readonly env?: NodeJS.ProcessEnv
  readonly tuning?: Partial<SshTuning>
}

const defaultTimeout = 30_000
const defaultMaxBytes = 4 * 1024 * 1024
const streamStderrBytes = 64 * 1024
const probeBytes = 64 * 1024

/** The SSH client of the program. */
export function createSsh(dependencies: SshDependencies): Ssh {
  return new PooledSsh(dependencies)
}

type CommandIo = Pick<RunIo, 'onStdout' | 'stderrBytes' | 'stdin'>

class PooledSsh implements Ssh {
  private readonly tuning: SshTuning
  private readonly keys: HostKeys
  private readonly connector: Connector
  private readonly entries = new Map<string, PoolEntry>()
  private readonly connectionListeners = new Set<Parameters<Ssh['onConnection']>[0]>()
  private readonly offerListeners = new Set<(offer: HostKeyOffer) => void>()

  constructor(private readonly dependencies: SshDependencies) {
    this.tuning = { ...defaultTuning, ...dependencies.tuning }
    this.keys = new HostKeys(dependencies.store)
    this.connector = new Connector({
      secrets: dependencies.secrets,
      keys: this.keys,
      env: dependencies.env ?? process.env,
      tuning: this.tuning,
      jump: (name) => this.acquire(name),
      onOffer: (offer) => this.tellOffer(offer)
    })
    dependencies.onHostsChange?.(() => this.dropChangedHosts())
  }

  async exec(host: string, argv: readonly string[], options: ExecOptions = {}): Promise<Result<ExecOutcome>> {
    const stdout = new Collected(options.maxBytes ?? defaultMaxBytes)
    const run = await this.run(host, argv, limitOf(options), {
      ...(options.stdin !== undefined && { stdin: options.stdin }),
      onStdout: (chunk) => stdout.add(chunk),
      stderrBytes: options.maxBytes ?? defaultMaxBytes
    })
    if (!run.ok) return run
    const { code, signal, stderr, stderrTruncated } = run.value
    return ok({ code, signal, stdout: stdout.text(), stderr, truncated: stdout.truncated || stderrTruncated })
  }

  async stream(
    host: string,
    argv: readonly string[],
    options: StreamOptions
  ): Promise<Result<Omit<ExecOutcome, 'stdout'>>> {
    const run = await this.run(host, argv, options.signal ?? new AbortController().signal, {
      ...(options.stdin !== undefined && { stdin: options.stdin }),
      onStdout: options.onStdout,
      stderrBytes: streamStderrBytes
    })
    if (!run.ok) return run
    const { code, signal, stderr, stderrTruncated } = run.value
    return ok({ code, signal, stderr, truncated: stderrTruncated })
  }

  connection(host: string): HostConnection {
    return this.entries.get(host)?.state ?? 'unknown'
  }

  sessions(host: string): number {
    return this.entries.get(host)?.sessions ?? this.tuning.channels
  }

  onConnection(listener: (host: string, state: HostConnection, error: AppError | null) => void): () => void {
    this.connectionListeners.add(listener)
    return () => this.connectionListeners.delete(listener)
  }

  onHostKey(listener: (offer: HostKeyOffer) => void): () => void {
    this.offerListeners.add(listener)
    return () => this.offerListeners.delete(listener)
  }

  trustedKey(host: string): string | null {
    return this.keys.trustedFingerprint(host, this.configOf(host)?.hostKey)
  }

  trust(host: string, fingerprint: string, replaceChanged: boolean): Result<null> {
    const trusted = this.keys.trust(host, fingerprint, replaceChanged)
    if (trusted.ok) this.entries.get(host)?.forgive()
    return trusted
  }

  forgetKey(host: string): Result<null> {
    const forgotten = this.keys.forget(host)
    if (forgotten.ok) this.disconnect(host)
    return forgotten
  }

  importKnownHosts(text: string): KnownHostsReport {
    const report = this.dependencies.store.transact(() =>
      importKnownHosts(text, this.dependencies.hosts(), this.keys)
    )
    for (const { host, outcome } of report.hosts)
      if (outcome === 'imported') this.entries.get(host)?.forgive()
    return report
  }

  async probe(config: HostConfig, argv: readonly string[] = ['true']): Promise<Result<Probe>> {
    const command = commandFor(config, argv)
    if (!command.ok) return command
    const loop = this.jumpLoop(config)
    if (loop) return loop
    const opened = await this.connector.open(config)
    if (!opened.ok) return opened
    const link = opened.value
    const stdout = new Collected(probeBytes)
    const run = await runOnLink(link, command.value, {
      onStdout: (chunk) => stdout.add(chunk),
      stderrBytes: 4096,
      signal: limitOf({}),
      timeout: this.tuning.channelTimeout
    })
    link.close()
    if (!run.ok) return run
    const entry = this.entries.get(config.name)
    if (entry?.isFor(config)) entry.forgive()
    return ok({ fingerprint: link.fingerprint, code: run.value.code, stdout: stdout.text() })
  }

  disconnect(host: string): void {
    const entry = this.entries.get(host)
    this.entries.delete(host)
    entry?.close()
  }

  close(): Promise<void> {
    for (const host of [...this.entries.keys()]) this.disconnect(host)
    return Promise.resolve()
  }

  /** Runs on the host's connection; once more on a new one when it had ended, or had no session left. */
  private async run(
    host: string,
    argv: readonly string[],
    signal: AbortSignal,
    io: CommandIo
  ): Promise<Result<RunOutcome>> {
    const config = this.configOf(host)
    if (!config) return hostUnknown(host)
    const command = commandFor(config, argv)
    if (!command.ok) return command
    for (let attempt = 1; ; attempt++) {
      const link = await this.linkWithin(config, signal)
      if (!link.ok) return link
      const release = link.value.use()
      const run = await runOnLink(link.value, command.value, {
        ...io,
        signal,
        timeout: this.tuning.channelTimeout
      })
      release()
      const again =
        !run.ok &&
        (run.error.code === 'host_unreachable' || (run.error.code === 'channel_refused' && link.value.spent))
      if (!again || attempt === 2) return run
    }
  }

  private async linkWithin(config: HostConfig, signal: AbortSignal): Promise<Result<Link>> {
    if (signal.aborted) return notStarted(config, signal)
    return await new Promise((resolve) => {
      const abort = () => resolve(notStarted(config, signal))
      signal.addEventListener('abort', abort, { once: true })
      void this.acquire(config.name).then((link) => {
        signal.removeEventListener('abort', abort)
        resolve(link)
      })
    })
  }

  private async acquire(name: string): Promise<Result<Link>> {
    const config = this.configOf(name)
    if (!config) return hostUnknown(name)
    const loop = this.jumpLoop(config)
    if (loop) return loop
    return await this.entryFor(config).acquire()
  }

  private entryFor(config: HostConfig): PoolEntry {
    const known = this.entries.get(config.name)
    if (known?.isFor(config)) return known
    if (known) this.disconnect(config.name)
    const entry = new PoolEntry(config, {
      clock: this.dependencies.clock,
      tuning: this.tuning,
      open: (host) => this.connector.open(host),
      onState: (state, error) => this.tellState(config.name, state, error)
    })
    this.entries.set(config.name, entry)
    return entry
  }

  private configOf(name: string): HostConfig | undefined {
    return this.dependencies.hosts().find((host) => host.name === name)
  }

  /** Refuses a host that is reached through itself. */
  private jumpLoop(config: HostConfig): Result<never> | null {
    const passed = [config.name]
    for (let via = config.jump; via !== undefined; via = this.configOf(via)?.jump) {
      if (passed.includes(via))
        return hostUnreachable(
          config,
          `it would be reached through itself (${[...passed, via].join(' → ')})`,
          'Correct "jump" of these hosts in the configuration.'
        )
      passed.push(via)
    }
    return null
  }

  private dropChangedHosts(): void {
    for (const [name, entry] of [...this.entries]) {
      const config = this.configOf(name)
      if (!config || !entry.isFor(config)) this.disconnect(name)
    }
  }

  private tellState(host: string, state: HostConnection, error: AppError | null): void {
    this.dependencies.log.log('info', 'ssh', 'connection', { host, state, code: error?.code })
    for (const listener of [...this.connectionListeners]) listener(host, state, error)
  }

  private tellOffer(offer: HostKeyOffer): void {
    this.dependencies.log.log('warn', 'ssh', 'host key to judge', { ...offer })
    for (const listener of [...this.offerListeners]) listener(offer)
  }
}

/** A signal that aborts when the time is up or the caller asks. */
function limitOf(options: Pick<ExecOptions, 'timeoutMs' | 'signal'>): AbortSignal {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(timeIsUp), options.timeoutMs ?? defaultTimeout)
  timer.unref()
  controller.signal.addEventListener('abort', () => clearTimeout(timer))
  return options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal
}
