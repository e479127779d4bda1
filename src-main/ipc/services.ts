import type {
  AttachmentDetail,
  HostConfig,
  HostTestReport,
  McpServerConfig,
  McpServerView,
  MessageView,
  SecretCheck,
  SessionPage,
  SessionView,
  ToolCallDetail
} from '../../src-preload/contract'
import type { ModelDoctor } from '../agent/ports'
import type { Logger } from '../base/log'
import type { Result } from '../base/result'
import type { ConfigService } from '../config/port'
import type { Executions } from '../execution/port'
import type { Fleet } from '../fleet/port'
import type { Knowledge } from '../knowledge/port'
import type { Secrets } from '../secrets/port'
import type { Signals } from '../signals/port'
import type { Skills } from '../skills/port'
import type { Ssh } from '../ssh/port'
import type { Store } from '../store/store'

/** At once or later: what answers from memory need not pretend to wait. */
type Awaitable<T> = T | Promise<T>

/** What a window asks of the agent and its sessions. */
interface AgentFacade {
  createSession(model?: string | null): Awaitable<Result<SessionView>>
  listSessions(): readonly SessionView[]
  /** The newest `limit` messages before `beforeSeq`, and what belongs to them. */
  openSession(id: string, beforeSeq: number | undefined, limit: number): Awaitable<Result<SessionPage>>
  rename(id: string, title: string): Awaitable<Result<SessionView>>
  setModel(id: string, model: string | null): Awaitable<Result<SessionView>>
  followRename(from: string, to: string): void
  remove(id: string): Awaitable<Result<null>>
  /** A new session with the history up to and including the message. */
  fork(id: string, messageId: string): Awaitable<Result<SessionView>>
  exportSession(id: string, format: 'markdown' | 'json'): Awaitable<Result<string>>
  importSession(content: string): Awaitable<Result<SessionView>>
  /** Only for text that the operator typed: it may be assent. */
  send(
    sessionId: string,
    text: string,
    attachments: readonly { readonly name: string; readonly text: string }[]
  ): Awaitable<Result<MessageView>>
  editQueued(messageId: string, text: string): Awaitable<Result<MessageView>>
  removeQueued(messageId: string): Awaitable<Result<null>>
  stop(sessionId: string): Awaitable<Result<null>>
  retry(sessionId: string): Awaitable<Result<null>>
  continueSession(sessionId: string): Awaitable<Result<null>>
  attachment(id: string): Awaitable<Result<AttachmentDetail>>
  toolCall(id: string): Awaitable<Result<ToolCallDetail>>
  /** While paused no continuation starts; results wait and are not lost. */
  pause(paused: boolean): void
}

/** Keys for logging in to hosts; the private part goes straight into the keychain. */
interface Keys {
  /** What a secret of the keychain is. Errors: `secret_missing`, `keychain_unavailable`. */
  check(name: string): Promise<Result<SecretCheck>>
  /** A new Ed25519 key. Errors: `keychain_unavailable`, `key_name_taken`. */
  generate(name: string): Promise<Result<{ keychainName: string; publicKey: string }>>
  /** Errors name what is wrong with the key: `key_invalid`, `key_public`, `key_passphrase_wrong` … */
  import(
    name: string,
    privateKey: string,
    passphrase?: string
  ): Promise<Result<{ keychainName: string; publicKey: string }>>
}

/** External MCP servers: what is set up, confirmed and allowed. */
interface McpServers {
  list(): readonly McpServerView[]
  add(name: string, server: McpServerConfig): Result<McpServerView>
  consent(name: string, hash: string): Result<McpServerView>
  allowTool(server: string, tool: string, hash: string, allowed: boolean): Result<McpServerView>
  reconnect(name: string): Result<McpServerView>
  remove(name: string): Result<null>
}

interface LabControl {
  readonly running: boolean
  start(): Promise<Result<null>>
  stop(): Promise<Result<null>>
}

/** The running core, as the windows, the tray and the notifications see it. Built by `createCore`. */
export interface Services {
  /** The app's version, such as `0.1.0`. */
  readonly version: string
  readonly logsFolder: string
  readonly log: Logger
  readonly store: Store
  readonly config: ConfigService
  readonly secrets: Secrets
  readonly keys: Keys
  readonly ssh: Ssh
  readonly fleet: Fleet
  readonly executions: Executions
  readonly agent: AgentFacade
  readonly knowledge: Knowledge
  readonly skills: Skills
  readonly signals: Signals
  readonly lab: LabControl
  readonly doctor: ModelDoctor
  readonly mcpServers: McpServers
  /** Tries a host that may not be stored yet, step by step, changing nothing. */
  testHost(config: HostConfig): Promise<HostTestReport>
  /** Label of the model in use, such as "scripted (lab)"; null when none is set up. */
  modelLabel(): string | null
  /** After sleep: every connection is in doubt, every deadline is checked anew. */
  wake(): void
  /** Stops all work in order and closes the database. Jobs on the hosts go on. */
  close(): Promise<void>
}
