import { createHash } from 'node:crypto'
import { WireReader } from './wire'

/** `SHA256:…` of a public key blob, as ssh-keygen -lf prints it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

/** The type that a public key blob names at its start (RFC 4253, section 6.6). */
export const keyTypeOf = (key: Buffer): string => new WireReader(key).string()?.toString('ascii') ?? 'unknown'
