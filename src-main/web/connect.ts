import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isAllowedPrivate, isBlockedAddress } from './addresses'

/** Thrown by the connector; the fetch wraps it as its cause. */
export class AddressBlocked extends Error {
  constructor(readonly host: string) {
    super(`${host} leads to an address that is not public`)
  }
}

export interface Resolver {
  /** Every address of a name. */
  (name: string): Promise<readonly string[]>
}

export const systemResolver: Resolver = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map((entry) => entry.address)

/**
 * A dispatcher that resolves a name itself, refuses it when any of its addresses is not public, and connects to
 * exactly the address it has checked, so that a second answer of the name server changes nothing.
 * Holds for every dial: each redirect and each retry is checked anew.
 */
export function guardedAgent(allowed: () => readonly string[], resolve: Resolver = systemResolver): Agent {
  const dial = buildConnector({ timeout: 5_000 })
  return new Agent({
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    maxHeaderSize: 32 * 1024,
    connections: 2,
    pipelining: 0,
    connect: (options, done) => {
      const host = options.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      const addresses = isIP(host) === 0 ? resolve(host) : Promise.resolve([host])
      addresses
        .then((found) => {
          const exempt = isAllowedPrivate(allowed(), host, port)
          if (!exempt && (found.length === 0 || found.some(isBlockedAddress))) throw new AddressBlocked(host)
          const address = found[0]
          if (address === undefined) throw new Error(`${host} has no address`)
          dial({ ...options, hostname: address, servername: isIP(host) === 0 ? host : '' }, done)
        })
        .catch((error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null))
    }
  })
}
