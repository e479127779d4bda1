import { randomBytes } from 'node:crypto'
import type { ClientChannel } from 'ssh2'
import type { HostConfig, HostKeyOffer } from '../../src-preload/contract'
import { fail, messageOf, ok, type Result } from '../base/result'
import type { Secrets } from '../secrets/port'
import { hostKeyTypes } from './algorithms'
import { hostUnreachable, keyChanged, keyUnknown } from './errors'
import { fingerprintOf } from './fingerprint'
import type { HostKeys } from './host-keys'
import { identityOf, type Identity } from './identity'
import { openLink, type Link } from './link'
import { runCommand } from './run'
import type { SshTuning } from './tuning'

export interface ConnectorOptions {
  readonly secrets: Secrets
  readonly keys: HostKeys
  readonly env: NodeJS.ProcessEnv
  readonly tuning: SshTuning
  /** A connection to the host to go through. */
  readonly jump: (name: string) => Promise<Result<Link>>
  readonly onOffer: (offer: HostKeyOffer) => void
}

/** Opens connections: key, jump host, host key, login, and a look at the login shell. */
export class Connector {
  constructor(private readonly options: ConnectorOptions) {}

  async open(host: HostConfig): Promise<Result<Link>> {
    const identity = await identityOf(host, this.options.secrets, this.options.env)
    if (!identity.ok) return identity
    const opened = await this.openTrusted(host, identity.value)
    if (!opened.ok) return opened
    return await this.lookAtShell(opened.value)
  }

  /**
   * Asks for the trusted key types first. When the server has none of them, or a pin may be for another of its
   * keys, it is asked for what is left, so that a key is only called changed when it is.
   */
  private async openTrusted(host: HostConfig, identity: Identity): Promise<Result<Link>> {
    const { keys, onOffer } = this.options
    const trusted = keys.trustedTypes(host)
    let left = hostKeyTypes.filter((type) => trusted.length === 0 || trusted.includes(type))
    let offer: HostKeyOffer | null = null
    for (;;) {
      const attempt = await this.attempt(host, identity, left)
      if (attempt.offer !== null) {
        const shown = attempt.offer
        offer ??= shown
        left = left.filter((type) => type !== shown.type)
        if (host.hostKey !== undefined && trusted.length === 0 && left.length > 0) continue
      } else if (noCommonKey(attempt.result)) {
        if (offer === null && trusted.length > 0 && left.every((type) => trusted.includes(type))) {
          left = hostKeyTypes.filter((type) => !trusted.includes(type))
          continue
        }
      } else return attempt.result
      if (offer === null) return attempt.result
      onOffer(offer)
      return offer.expected === null ? keyUnknown(offer) : keyChanged(offer)
    }
  }

  private async attempt(
    host: HostConfig,
    identity: Identity,
    keyTypes: readonly string[]
  ): Promise<{ result: Result<Link>; offer: HostKeyOffer | null }> {
    const through = host.jump === undefined ? ok(null) : await this.forward(host, host.jump)
    if (!through.ok) return { result: through, offer: null }
    let offer: HostKeyOffer | null = null
    let fingerprint = ''
    const result = await openLink({
      host,
      identity,
      keyTypes,
      through: through.value?.channel ?? null,
      tuning: this.options.tuning,
      fingerprint: () => fingerprint,
      verify: (key) => {
        fingerprint = fingerprintOf(key)
        offer = this.options.keys.judge(host, key)
        return offer === null
      }
    })
    if (result.ok) through.value?.carry(result.value)
    else through.value?.release()
    return { result, offer }
  }

  /** A stream to the host through its jump host, which stays connected as long as it is needed. */
  private async forward(host: HostConfig, via: string): Promise<Result<Forward>> {
    const jump = await this.options.jump(via)
    if (!jump.ok)
      return fail(
        'host_unreachable',
        `${host.name} is behind ${via}, which cannot be used: ${jump.error.message}`,
        jump.error.hint,
        { host: host.name, jump: via, cause: jump.error.code, because: jump.error }
      )
    const release = jump.value.use()
    const channel = await forwardOut(jump.value, host, this.options.tuning.connectTimeout)
    if (!channel.ok) {
      release()
      return channel
    }
    return ok({
      channel: channel.value,
      release: () => {
        channel.value.destroy()
        release()
      },
      carry: (link) => {
        const forget = jump.value.whenDead((why) => link.kill(`its jump host ${via} was lost: ${why}`))
        link.whenDead(() => {
          forget()
          release()
        })
      }
    })
  }

  /**
   * A login shell may print something of its own before each command (an `echo` in .bashrc), or end before it.
   * A harmless command tells; where something is printed, the output of commands is framed from then on.
   */
  private async lookAtShell(link: Link): Promise<Result<Link>> {
    const marker = `nomos-${randomBytes(9).toString('hex')}`
    let output = ''
    const limit = AbortSignal.timeout(this.options.tuning.connectTimeout)
    const run = await runCommand(link, `printf %s ${marker}`, {
      signal: limit,
      timeout: this.options.tuning.channelTimeout,
      stderrBytes: 1024,
      onStdout: (chunk) => {
        // Only the end counts; a greeting can be megabytes long.
        output = (output + chunk.toString('latin1')).slice(-200)
      }
    })
    if (!run.ok) {
      if (link.alive) return ok(link)
      return hostUnreachable(link.host, 'the connection ended right after the login')
    }
    if (output === marker || run.value.code !== 0) return ok(link)
    if (output.endsWith(marker)) {
      link.marker = marker
      return ok(link)
    }
    link.close()
    return fail(
      'shell_unusable',
      `The login shell of ${link.host.user} on ${link.host.name} ends before it runs commands.`,
      'Look for "exit" or "exec" in its start files (.bashrc, .profile) and let them act on interactive shells only.',
      { host: link.host.name }
    )
  }
}

interface Forward {
  readonly channel: ClientChannel
  /** Gives the stream up. */
  readonly release: () => void
  /** From now on the link lives and dies with the jump host. */
  readonly carry: (link: Link) => void
}

/** ssh2 tells by its message alone that client and server have no host key type in common. */
const noCommonKey = (result: Result<Link>): boolean =>
  !result.ok && /no matching host key/i.test(result.error.message)

function forwardOut(jump: Link, host: HostConfig, timeout: number): Promise<Result<ClientChannel>> {
  const unreachable = (why: string) => hostUnreachable(host, `from ${jump.host.name}, ${why}`)
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(unreachable('it does not answer in time')), timeout)
    const settle = (result: Result<ClientChannel>) => {
      clearTimeout(timer)
      forget()
      resolve(result)
    }
    let forget = (): unknown => undefined
    forget = jump.whenDead(() => settle(unreachable('the connection was lost')))
    try {
      jump.client.forwardOut('127.0.0.1', 0, host.address, host.port, (error, channel) => {
        if (error)
          return settle(
            'reason' in error && error.reason === 1
              ? hostUnreachable(
                  host,
                  `${jump.host.name} does not allow going through it`,
                  `Set "AllowTcpForwarding yes" in sshd_config of ${jump.host.name}.`
                )
              : unreachable(`nothing answers (${error.message})`)
          )
        // Errors also come after the end; the client on top of the channel tells what they mean.
        channel.on('error', () => undefined)
        return settle(ok(channel))
      })
    } catch (error) {
      settle(unreachable(messageOf(error)))
    }
  })
}
