import { isDeepStrictEqual } from 'node:util'
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { AppError, McpServerState } from '../../../src-preload/contract'
import type { Logger } from '../../base/log'
import { messageOf, type Result } from '../../base/result'
import { plainText } from '../../tools/text'
import { ServerClient } from './client'
import { readDefinitions, type Definition } from './definition'
import type { Timing } from './timing'

export interface ConnectionOptions {
  readonly name: string
  readonly version: string
  readonly timing: Timing
  /** A new way to the server; errors such as `secret_missing`. */
  readonly open: () => Promise<Result<Transport>>
  /** The state or the tools are others now. */
  readonly changed: () => void
  readonly log: Logger
}

/** Lines in the log about one server, until it is connected by hand again. */
const mostNotes = 200

/** A session that is being set up or in use. */
interface Session {
  readonly client: ServerClient
  readonly transport: Transport
  /** `performance.now()` when its tools were known; null before. */
  readySince: number | null
}

/** Keeps a connection to one server: connects, reads its tools, and begins anew, ever more slowly, when it breaks off. */
export class Connection {
  state: Exclude<McpServerState, 'unconfirmed'> = 'connecting'
  error: AppError | null = null
  /** As last listed; kept while the connection is down, so that the model is told why a call fails. */
  tools: readonly Definition[] = []
  private session: Session | null = null
  private failures = 0
  private timer: NodeJS.Timeout | null = null
  private settling: NodeJS.Timeout | null = null
  private changedAgain = false
  private notes = 0
  private closed = false
  private readonly closing = new Set<Promise<void>>()
  private declined: string[] = []

  constructor(private readonly options: ConnectionOptions) {}

  /** What the operator was asked for and denied, since it was last read. */
  takeDeclined(): readonly string[] {
    const taken = this.declined
    this.declined = []
    return taken
  }

  /** Connects now, whatever was waited for; failures are counted anew. */
  connect(): void {
    this.failures = this.notes = 0
    this.drop(this.session)
    void this.attempt()
  }

  /** Rejects with why there is no answer. */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal
  ): Promise<CallToolResult> {
    const { session } = this
    if (!session || this.state !== 'connected') throw new Error(`It is not connected: ${this.whyNot()}`)
    try {
      return await session.client.call(name, args, signal)
    } catch (error) {
      // An error that the server itself tells, an answer of the wrong shape, a time-out and a stop say nothing
      // about the connection.
      const aboutTheCall = signal.aborted || error instanceof McpError || error instanceof z.core.$ZodError
      if (!aboutTheCall) this.broken(session, error)
      throw error
    }
  }

  /** Ends the server with all that it started. */
  async close(): Promise<void> {
    this.closed = true
    this.drop(this.session)
    await Promise.all(this.closing)
  }

  private async attempt(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.become('connecting', null)
    // What is left of the last attempt may still hold a port or a file.
    await Promise.all(this.closing)
    const opened = await this.options.open()
    if (this.closed || this.session) return
    if (!opened.ok) return this.become('failed', opened.error)
    const session: Session = {
      client: new ServerClient(this.options.version, this.options.timing, {
        closed: () => this.broken(session, new Error('it ended the connection')),
        toolsChanged: () => this.readToolsSoon(session),
        declined: (what) => (this.declined = [...this.declined.slice(-4), what]),
        error: (error) => this.note('protocol error', error)
      }),
      transport: opened.value,
      readySince: null
    }
    this.session = session
    try {
      await session.client.connect(session.transport)
      await this.readTools(session)
    } catch (error) {
      this.broken(session, error)
    }
  }

  private async readTools(session: Session): Promise<void> {
    const listed = await session.client.list()
    if (this.session !== session) return
    session.readySince ??= performance.now()
    const before = this.tools
    this.tools = readDefinitions(this.options.name, listed)
    if (this.state !== 'connected' || !isDeepStrictEqual(before, this.tools)) this.become('connected', null)
  }

  private readToolsSoon(session: Session): void {
    if (this.session !== session || session.readySince === null) return
    if (this.settling) return void (this.changedAgain = true)
    this.settling = setTimeout(() => {
      this.readTools(session)
        .catch((error: unknown) => this.broken(session, error))
        .finally(() => {
          this.settling = null
          if (this.changedAgain) this.readToolsSoon(session)
          this.changedAgain = false
        })
    }, this.options.timing.settleMs)
  }

  private broken(session: Session, why: unknown): void {
    if (this.session !== session || this.closed) return
    const { timing, name } = this.options
    const steady = session.readySince !== null && performance.now() - session.readySince > timing.steadyMs
    this.failures = steady ? 1 : this.failures + 1
    this.drop(session)
    const error = {
      code: 'mcp_server_failed',
      message: `The server ${name} cannot be used: ${plainText(messageOf(why)).slice(0, 300)}.`
    }
    this.note('connection lost', why)
    if (this.failures >= timing.attempts)
      return this.become('failed', {
        ...error,
        hint: hintFor(why) ?? 'Look at what it says, then connect again.'
      })
    const pause = Math.min(timing.longestPauseMs, timing.firstPauseMs * 2 ** (this.failures - 1))
    this.timer = setTimeout(() => void this.attempt(), pause)
    this.become('waiting', { ...error, hint: hintFor(why) ?? 'It is tried again by itself.' })
  }

  /** Lets go of a session; its program is ended in the background, and `close` waits for that. */
  private drop(session: Session | null): void {
    if (this.timer) clearTimeout(this.timer)
    if (this.settling) clearTimeout(this.settling)
    this.timer = this.settling = null
    this.session = null
    if (!session) return
    const closing = session.transport
      .close()
      .catch((error: unknown) => this.note('could not be closed', error))
      .finally(() => this.closing.delete(closing))
    this.closing.add(closing)
  }

  private become(state: Connection['state'], error: AppError | null): void {
    this.state = state
    this.error = error
    if (!this.closed) this.options.changed()
  }

  private whyNot(): string {
    return this.error?.message ?? 'it is being started'
  }

  /** Logs what went wrong, unless the server makes too much of it. */
  private note(what: string, why: unknown): void {
    if (++this.notes > mostNotes) return
    this.options.log.log('warn', 'mcp', `external server: ${what}`, {
      server: this.options.name,
      error: plainText(messageOf(why)).slice(0, 300)
    })
  }
}

const hintFor = (why: unknown): string | undefined =>
  why instanceof StreamableHTTPError && (why.code === 401 || why.code === 403)
    ? 'It wants a token, or another one: set it, then connect again.'
    : undefined
