import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { keyTypeOf } from './fingerprint'
import { sshString, WireReader } from './wire'

const openSshMagic = 'openssh-key-v1\0'

/**
 * An Ed25519 key in OpenSSH's own format, without a passphrase.
 * Source: PROTOCOL.key of OpenSSH.
 */
function ed25519ToOpenSsh(key: KeyObject, comment: string): { privateKey: string; publicKey: string } {
  const { d, x } = key.export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d ?? '', 'base64url'), Buffer.from(x ?? '', 'base64url')]
  const publicBlob = Buffer.concat([sshString('ssh-ed25519'), sshString(point)])
  const check = randomBytes(4)
  const secret = Buffer.concat([
    check,
    check,
    sshString('ssh-ed25519'),
    sshString(point),
    sshString(Buffer.concat([seed, point])),
    sshString(comment)
  ])
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, index) => index + 1))
  const one = Buffer.from([0, 0, 0, 1])
  const body = Buffer.concat([
    Buffer.from(openSshMagic),
    sshString('none'),
    sshString('none'),
    sshString(''),
    one,
    sshString(publicBlob),
    sshString(Buffer.concat([secret, padding]))
  ])
  const lines = body.toString('base64').match(/.{1,70}/g) ?? []
  return {
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`,
    publicKey: `ssh-ed25519 ${publicBlob.toString('base64')} ${comment}`.trim()
  }
}

/** A new Ed25519 key pair: the private key in OpenSSH's format, the public one as a line of authorized_keys. */
export function generateKey(comment: string): { privateKey: string; publicKey: string } {
  return ed25519ToOpenSsh(generateKeyPairSync('ed25519').privateKey, comment.replace(/[\r\n]+/g, ' '))
}

/** Type of the key inside OpenSSH's format; it is readable even when the key is encrypted. */
export function openSshKeyType(pem: string): string | null {
  const base64 = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]*?)(?:-----END|$)/.exec(pem)?.[1]
  if (base64 === undefined) return null
  const reader = new WireReader(Buffer.from(base64, 'base64')).skip(openSshMagic.length)
  reader.string()
  reader.string()
  reader.string()
  reader.uint32()
  const publicBlob = reader.string()
  return publicBlob ? keyTypeOf(publicBlob) : null
}

/**
 * A PKCS#8 key (`BEGIN PRIVATE KEY`) in a format that ssh2 reads. Throws what OpenSSL says.
 * The result is never encrypted; it stays in memory.
 */
export function fromPkcs8(pem: string, passphrase: string | undefined): string {
  const key = createPrivateKey({ key: pem, format: 'pem', ...(passphrase !== undefined && { passphrase }) })
  if (key.asymmetricKeyType === 'ed25519') return ed25519ToOpenSsh(key, '').privateKey
  const type = key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs1'
  return key.export({ type, format: 'pem' }).toString()
}
