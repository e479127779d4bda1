import type { HostConfig, HostConnection, HostKeyOffer, KnownHostsReport } from '../../src-preload/contract'
import type { AppError, Result } from '../base/result'

export interface ExecOptions {
  /** Written to the command's stdin, which is then closed. */
  readonly stdin?: string | Buffer
  /** Covers connecting, opening the channel and running. Default 30,000 ms. */
  readonly timeoutMs?: number
  /** Per stream; what is beyond is dropped and `truncated` is set. Default 4 MiB. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface ExecOutcome {
  /** Null when the command was ended by a signal. */
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
}

export interface StreamOptions {
  readonly stdin?: string | Buffer
  readonly signal?: AbortSignal
  /** Called in order; a returned promise holds the stream back until it is settled. */
  readonly onStdout: (chunk: Buffer) => void | Promise<void>
}

export interface Probe {
  /** SHA256 fingerprint of the key that the host has shown. */
  readonly fingerprint: string
  readonly code: number | null
  readonly stdout: string
}

/**
 * Codes: `host_unknown` (not configured) · `host_unreachable` (refused, timed out, lost: try later) ·
 * `host_key_unknown` (data: HostKeyOffer; the operator must trust it first) · `host_key_changed` (blocked) ·
 * `auth_failed` (not retried) · `key_unreadable` · `secret_missing` · `connection_lost` (mid-command: the outcome
 * is not known) · `exec_timeout` (started, may still run) · `aborted` · `channel_refused` (not started) ·
 * `keychain_unavailable` · `sudo_needs_password` · `shell_unusable` · `command_invalid` (NUL in an argument).
 *
 * Connection states: `connecting` also while a lost connection is being made again; `blocked` while only the
 * operator can help (`auth_failed`, `host_key_unknown`, `host_key_changed`): the host is then not asked again
 * before it is trusted, disconnected, probed with success, configured anew, or ten minutes have passed.
 */
export type SshError = AppError

/**
 * Runs commands on configured hosts over one pooled, keep-alive connection a host, at most 8 channels at once
 * (more are queued). Host keys are verified; nothing is sent to a host whose key is not trusted.
 */
export interface Ssh {
  /** Runs argv (quoted once by `quoteArgv`; with `sudo: true` behind `sudo -n`) and collects its output. */
  exec(host: string, argv: readonly string[], options?: ExecOptions): Promise<Result<ExecOutcome, SshError>>
  /** Like `exec` for long output: stdout goes to `onStdout` with back-pressure, stderr is collected (64 KiB). */
  stream(
    host: string,
    argv: readonly string[],
    options: StreamOptions
  ): Promise<Result<Omit<ExecOutcome, 'stdout'>, SshError>>
  connection(host: string): HostConnection
  /** Commands at once on the host's connection: fewer than 8 once the host has refused more. */
  sessions(host: string): number
  /** Told whenever a host's connection state changes or it came back; for reconciling jobs. */
  onConnection(listener: (host: string, state: HostConnection, error: AppError | null) => void): () => void
  /** Told when an unknown or changed key was met. */
  onHostKey(listener: (offer: HostKeyOffer) => void): () => void
  /** SHA256 fingerprint of the key that is trusted for the host, pinned or stored. */
  trustedKey(host: string): string | null
  /** Trusts a key that was offered; errors when another one was offered or `replaceChanged` is needed. */
  trust(host: string, fingerprint: string, replaceChanged: boolean): Result<null>
  /** Takes back the trust in a host's key and drops its connection. Error: `host_key_not_trusted`. */
  forgetKey(host: string): Result<null>
  /** Connects once with a configuration that may not be stored yet and runs argv there, by default `true`. */
  probe(config: HostConfig, argv?: readonly string[]): Promise<Result<Probe, SshError>>
  /** Trusts what a known_hosts file trusts, for configured hosts that have no trusted key yet. */
  importKnownHosts(text: string): KnownHostsReport
  /** Drops the host's connection; the next use connects anew. */
  disconnect(host: string): void
  close(): Promise<void>
}
