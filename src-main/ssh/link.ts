import type { Readable } from 'node:stream'
import type { Client } from 'ssh2'
import type { HostConfig } from '../../src-preload/contract'
import { messageOf, ok, type Result } from '../base/result'
import { algorithmsFor } from './algorithms'
import { connectFailure, hostUnreachable } from './errors'
import type { Identity } from './identity'
import { ssh2 } from './library'
import { Slots } from './slots'
import type { SshTuning } from './tuning'

/** Of the 10 sessions that sshd allows, 8 are used at once; so many may be held besides. */
const mostAbandoned = 2

/** One authenticated connection to a host. */
export class Link {
  /** Commands at once. */
  readonly slots: Slots
  /** Set when the login shell prints something of its own: commands are then framed by it. */
  marker: string | null = null
  /** Commands that were given up here while the host may still run them. */
  abandoned = 0
  /** Set when a command was refused because of the abandoned ones. */
  refusedOne = false
  private users = 0
  private death: string | null = null
  private readonly onDeath = new Set<(why: string) => void>()
  private readonly onIdle = new Set<() => void>()

  constructor(
    readonly host: HostConfig,
    readonly client: Client,
    readonly fingerprint: string,
    channels: number
  ) {
    this.slots = new Slots(channels)
  }

  get alive(): boolean {
    return this.death === null
  }

  /** True when too many sessions are held by abandoned commands: sshd counts them until they end. */
  get spent(): boolean {
    return this.refusedOne || this.abandoned >= mostAbandoned
  }

  get inUse(): boolean {
    return this.users > 0
  }

  /** Keeps the connection from being closed as idle until the returned function is called. */
  use(): () => void {
    this.users++
    let released = false
    return () => {
      if (released) return
      released = true
      this.users--
      if (this.users === 0) for (const listener of [...this.onIdle]) listener()
    }
  }

  whenIdle(listener: () => void): void {
    this.onIdle.add(listener)
  }

  /** Calls `listener` once when the connection ends, at once when it has ended. */
  whenDead(listener: (why: string) => void): () => void {
    if (this.death !== null) {
      listener(this.death)
      return () => undefined
    }
    this.onDeath.add(listener)
    return () => this.onDeath.delete(listener)
  }

  /** Declares the connection dead, whatever its socket still says. */
  kill(why: string): void {
    if (this.death !== null) return
    this.death = why
    this.client.destroy()
    for (const listener of [...this.onDeath]) listener(why)
    this.onDeath.clear()
  }

  /** Says goodbye and ends the connection. */
  close(): void {
    this.client.end()
    this.kill('it was closed')
  }
}

export interface LinkRequest {
  readonly host: HostConfig
  readonly identity: Identity
  readonly keyTypes: readonly string[]
  /** Called with the host key during the handshake; nothing is sent to the host when it says no. */
  readonly verify: (key: Buffer) => boolean
  /** Stream through a jump host. */
  readonly through: Readable | null
  readonly tuning: SshTuning
  readonly fingerprint: () => string
}

/** Connects and logs in. Every failure is told; nothing stays open after one. */
export function openLink(request: LinkRequest): Promise<Result<Link>> {
  const { host, identity, tuning } = request
  const client = new (ssh2().Client)()
  return new Promise((resolve) => {
    let link: Link | null = null
    let settled = false
    const settle = (result: Result<Link>) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      if (!result.ok) client.destroy()
      resolve(result)
    }
    const timer = setTimeout(
      () => settle(hostUnreachable(host, 'it does not answer in time')),
      tuning.connectTimeout
    )
    // An error without a listener would end the program; ssh2 may report several, also after the end.
    client.on('error', (error) => {
      link?.kill(error.message)
      settle(connectFailure(host, error, identity.publicLine))
    })
    client.on('close', () => {
      link?.kill('the other side closed it')
      settle(hostUnreachable(host, 'it closed the connection'))
    })
    client.once('ready', () => {
      // A command is a few small packets each way; held back to be gathered, each would wait for an answer first.
      client.setNoDelay(true)
      link = new Link(host, client, request.fingerprint(), tuning.channels)
      settle(ok(link))
    })
    try {
      client.connect({
        ...(request.through ? { sock: request.through } : { host: host.address, port: host.port }),
        username: host.user,
        authHandler: [identity.method],
        algorithms: algorithmsFor(request.keyTypes),
        hostVerifier: (key: Buffer) => request.verify(key),
        keepaliveInterval: tuning.keepaliveInterval,
        keepaliveCountMax: tuning.keepaliveCount,
        readyTimeout: 0,
        agentForward: false
      })
    } catch (error) {
      settle(hostUnreachable(host, messageOf(error)))
    }
  })
}
