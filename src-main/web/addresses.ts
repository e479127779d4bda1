import { BlockList, isIP } from 'node:net'

/**
 * Ranges that no web page lives in: private, loopback, link-local, documentation, multicast, and the forms within
 * public IPv6 that carry an IPv4 address inside (6to4, Teredo).
 * Source: IANA special-purpose address registries.
 */
const blocked = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4]
] as const)
  blocked.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20]
] as const)
  blocked.addSubnet(net, bits, 'ipv6')

/** True for an address outside the public internet; anything that is no address counts as blocked. */
export function isBlockedAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return true
  // Public IPv6 is 2000::/3 alone; what carries an IPv4 address elsewhere, such as ::ffff:0:a.b.c.d, is none of it.
  // Node's list matches ::ffff:a.b.c.d against the IPv4 rules by itself.
  if (family === 6 && !/^([23][0-9a-f]{3}:|::ffff:(\d+\.|[0-9a-f]{1,4}:[0-9a-f]{1,4}$))/i.test(bare))
    return true
  return blocked.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}

/** What the operator wrote into `webFetch.allowPrivate`: `name:port`, `address:port`, or without a port. */
export function isAllowedPrivate(allowed: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase()
  return allowed.some((entry) => entry.toLowerCase() === `${name}:${port}` || entry.toLowerCase() === name)
}
