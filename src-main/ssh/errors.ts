import type { HostConfig, HostKeyOffer } from '../../src-preload/contract'
import { fail, type AppError, type Result } from '../base/result'

/** The errors of this layer, in the operator's words. */
type Failure = Result<never>

export const hostUnknown = (host: string): Failure =>
  fail(
    'host_unknown',
    `No host "${host}" is configured.`,
    'Add it in the settings, or use the name of another host.',
    { host }
  )

export const hostUnreachable = (host: HostConfig, why: string, hint?: string): Failure =>
  fail(
    'host_unreachable',
    `${host.name} (${host.address}:${host.port}) cannot be reached: ${why}.`,
    hint ?? 'Check that it runs and that its address and port are right; then try again.',
    { host: host.name, address: host.address, port: host.port, why }
  )

export const connectionLost = (host: string, why: string): Failure =>
  fail(
    'connection_lost',
    `The connection to ${host} was lost while the command ran (${why}). Whether it took effect is not known.`,
    'Look at the host before running it again.',
    { host, why }
  )

const authFailed = (host: HostConfig, why: string, publicLine: string | null): Failure =>
  fail(
    'auth_failed',
    `${host.name} does not let ${host.user} in: ${why}.`,
    publicLine === null
      ? `Check the user and the keys in the SSH agent, then test the host in the settings.`
      : `Add this line to ~/.ssh/authorized_keys of ${host.user} on ${host.name}, then test the host: ${publicLine}`,
    { host: host.name, user: host.user, why, ...(publicLine !== null && { publicKey: publicLine }) }
  )

export const keyUnknown = (offer: HostKeyOffer): Failure =>
  fail(
    'host_key_unknown',
    `${offer.host} shows a host key that is not trusted yet (${offer.type}, ${offer.fingerprint}). Nothing was sent.`,
    'Compare it on the console of the host (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub), then trust it.',
    { ...offer }
  )

export const keyChanged = (offer: HostKeyOffer): Failure =>
  fail(
    'host_key_changed',
    `The host key of ${offer.host} has changed: expected ${offer.expected ?? ''}, got ${offer.fingerprint} ` +
      `(${offer.type}). Another machine may answer in its place. Nothing was sent; the host is blocked.`,
    'If the machine was installed anew, compare the key on its console and replace it in the settings.',
    { ...offer }
  )

export const channelRefused = (host: string, why: string): Failure =>
  fail('channel_refused', `${host} did not start the command: ${why}.`, 'Try again in a moment.', { host })

/** Refusals that only the operator can lift; the host is not asked again until then. */
export const waitsForOperator = (error: AppError): boolean =>
  ['auth_failed', 'host_key_unknown', 'host_key_changed'].includes(error.code)

/** What ssh2 and Node put on an error beside its message. */
interface SshFailure extends Error {
  readonly level?: string
  readonly code?: string | number
}

const socketCauses: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers on that port',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no network route to it',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it does not answer'
}

/** Why connecting failed, from what ssh2 reports. Source of the levels: README of ssh2, event "error". */
export function connectFailure(host: HostConfig, error: SshFailure, publicLine: string | null): Failure {
  if (error.level === 'client-authentication')
    return authFailed(host, 'none of the ways to log in was accepted', publicLine)
  if (error.level === 'agent') return authFailed(host, `the SSH agent failed (${error.message})`, null)
  if (/too many authentication failures/i.test(error.message))
    return authFailed(host, 'too many keys were tried', publicLine)
  if (error.level === 'client-timeout') return hostUnreachable(host, 'it does not answer in time')
  if (error.level === 'client-socket')
    return hostUnreachable(host, socketCauses[String(error.code)] ?? error.message)
  if (/no matching/i.test(error.message))
    return hostUnreachable(
      host,
      `it speaks only methods that are not safe or not known here (${error.message})`,
      'Update the SSH server of the host.'
    )
  if (/bad packet length/i.test(error.message))
    return hostUnreachable(
      host,
      'it sends a packet that is larger than SSH allows; a login banner of more than 32 KB does that',
      `Shorten the file of "Banner" in sshd_config of ${host.name}.`
    )
  if (error.level === 'protocol' || error.level === 'handshake')
    return hostUnreachable(host, `what answers does not speak SSH as expected (${error.message})`)
  return hostUnreachable(host, error.message)
}
