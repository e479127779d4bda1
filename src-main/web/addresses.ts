import { BlockList, isIP } from 'node:net'

/**
 * Ranges that no web page lives in: private, loopback, link-local, documentation, multicast, and the IPv6
 * forms that carry an IPv4 address inside (NAT64, 6to4, Teredo, IPv4-compatible).
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
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8]
] as const)
  blocked.addSubnet(net, bits, 'ipv6')

/** True for an address outside the public internet; anything that is no address counts as blocked. */
export function isBlockedAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return true
  // Node's list matches ::ffff:a.b.c.d against the IPv4 rules by itself.
  return blocked.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}

/** What the operator wrote into `webFetch.allowPrivate`: `name:port`, `address:port`, or without a port. */
export function isAllowedPrivate(allowed: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase()
  return allowed.some((entry) => entry.toLowerCase() === `${name}:${port}` || entry.toLowerCase() === name)
}
