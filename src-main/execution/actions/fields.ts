import { z } from 'zod'

/** VMIDs below 100 are reserved by Proxmox. */
export const vmid = z
  .int('a whole number from 100 to 999999999')
  .min(100, 'a whole number from 100 to 999999999')
  .max(999_999_999, 'a whole number from 100 to 999999999')

const hostnamePattern =
  /^(?=.{1,63}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/

/** A hostname as Proxmox takes it; says what it could be instead. */
export const hostname = z.string().superRefine((name, issue) => {
  const problem = hostnameProblem(name)
  if (problem !== null) issue.addIssue({ code: 'custom', message: problem })
})

/** Why a name is no hostname; null when it is one. */
export function hostnameProblem(name: string): string | null {
  if (hostnamePattern.test(name)) return null
  const better = name
    .trim()
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 63)
  const instead = hostnamePattern.test(better) ? ` Use ${better}.` : ''
  return `"${name.slice(0, 80)}" is not a hostname: letters, digits and hyphens only, no underscore, at most 63.${instead}`
}

export const count = (least: number, most: number) =>
  z
    .int(`a whole number from ${least} to ${most}`)
    .min(least, `a whole number from ${least} to ${most}`)
    .max(most, `a whole number from ${least} to ${most}`)

export const seconds = (most: number) => count(1, most)

/** Names of storages, bridges and nodes. */
export const identifier = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dot, hyphen, underscore')

/** An absolute path without `..`. */
export const absolutePath = z
  .string()
  .max(4096)
  .regex(/^\/[^\0\n\r,]*$/, 'an absolute path, without commas and line breaks')
  .refine((path) => !path.split('/').includes('..'), 'an absolute path without ".."')

/** Names of snapshots (pve-guest-common: a letter first, at most 40). */
export const snapshotName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{1,39}$/,
    'a letter, then letters, digits, hyphens and underscores, 2 to 40 in all'
  )
  .refine(
    (name) => !['current', 'vzdump', 'pending'].includes(name),
    'a name that Proxmox does not use itself'
  )

export const packageName = z.string().regex(/^[a-z0-9][a-z0-9+.-]{1,99}$/, 'the name of a Debian package')

/** A systemd unit; one without a suffix is a service. */
export const unitName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9:_.@\\-]{0,200}$/,
    'the name of a systemd unit, such as caddy or caddy.service'
  )

export const tag = z.string().regex(/^[a-z0-9_][a-z0-9_+.-]{0,62}$/, 'lower-case letters, digits, _ + . -')

export const description = z.string().max(4000)

/** An OpenSSH public key on one line. */
export const sshPublicKey = z
  .string()
  .max(20_000)
  .regex(
    /^(ssh-(rsa|ed25519)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9-]+@openssh\.com) [A-Za-z0-9+/]+=*( [^\n\r]*)?$/,
    'an OpenSSH public key on one line'
  )

const ipv4 = String.raw`(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)`

/** `dhcp`, or an IPv4 address with its prefix. */
export const ipOrDhcp = z
  .string()
  .regex(
    new RegExp(`^(?:dhcp|${ipv4}/(?:[0-9]|[12]\\d|3[0-2]))$`),
    'dhcp, or an address with its prefix such as 192.168.1.50/24'
  )

export const gateway = z.string().regex(new RegExp(`^${ipv4}$`), 'an IPv4 address')
