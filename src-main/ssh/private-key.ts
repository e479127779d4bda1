import type { ParsedKey } from 'ssh2'
import { fail, messageOf, ok, type Result } from '../base/result'
import { fingerprintOf } from './fingerprint'
import { fromPkcs8, openSshKeyType } from './key-format'
import { ssh2 } from './library'

export interface PrivateKey {
  readonly key: ParsedKey
  /** As a line of authorized_keys. */
  readonly publicLine: string
  readonly fingerprint: string
  /** True when a passphrase was needed. */
  readonly encrypted: boolean
}

const maxBytes = 1024 * 1024

/** Why a key is refused, as a word for programs. */
type KeyRefusal =
  | 'empty'
  | 'too_large'
  | 'public_key'
  | 'certificate'
  | 'dsa'
  | 'security_key'
  | 'putty_v3'
  | 'truncated'
  | 'passphrase_missing'
  | 'passphrase_wrong'
  | 'unknown_format'

const refuse = (reason: KeyRefusal, message: string, hint: string) =>
  fail('key_unreadable', message, hint, { reason })

/**
 * Reads a private key in OpenSSH's format, PEM (PKCS#1, SEC 1, PKCS#8) or PuTTY's (version 2).
 * Errors: `key_unreadable` with the exact reason; `data.reason` is a `KeyRefusal`.
 */
export function readPrivateKey(text: string, passphrase?: string): Result<PrivateKey> {
  if (Buffer.byteLength(text) > maxBytes)
    return refuse(
      'too_large',
      'The key is larger than 1 MB; no private key is.',
      'Choose the private key file.'
    )
  const pem = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .trim()
  return refusalByLook(pem) ?? parse(pem, passphrase)
}

/** What can be told from the text before it is taken apart. */
function refusalByLook(pem: string): Result<never> | null {
  if (pem === '')
    return refuse('empty', 'The key is empty.', 'Choose the private key file, or paste all of it.')
  if (/^(ssh|ecdsa|sk)-\S+ AAAA/.test(pem) || /BEGIN (SSH2 |RSA )?PUBLIC KEY/.test(pem))
    return refuse(
      'public_key',
      'This is a public key; logging in needs the private one.',
      'The private key is in the file of the same name without .pub.'
    )
  if (/BEGIN CERTIFICATE/.test(pem))
    return refuse('certificate', 'This is a certificate, not a private key.', 'Choose an SSH private key.')
  if (/^PuTTY-User-Key-File-3/.test(pem))
    return refuse(
      'putty_v3',
      'This is a PuTTY key of version 3, which cannot be read.',
      'Convert it: puttygen key.ppk -O private-openssh -o key (or in PuTTYgen: Conversions, Export OpenSSH key).'
    )
  const type = openSshKeyType(pem) ?? ''
  if (/BEGIN DSA PRIVATE KEY/.test(pem) || type === 'ssh-dss' || /^PuTTY-User-Key-File-\d: ssh-dss/.test(pem))
    return refuse('dsa', 'This is a DSA key; they are not safe any more and servers refuse them.', newKeyHint)
  if (type.startsWith('sk-'))
    return refuse(
      'security_key',
      `This key lives on a hardware security key (${type}), which cannot be used directly.`,
      'Add it to the SSH agent and choose the agent, or use another key.'
    )
  if (/^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem) && !/-----END [A-Z ]*PRIVATE KEY-----$/.test(pem))
    return refuse(
      'truncated',
      'The key is cut off: its last line is missing.',
      'Copy the whole file, END line included.'
    )
  return null
}

const newKeyHint = 'Make a new key: ssh-keygen -t ed25519, or "Generate key" in the settings.'

function parse(pem: string, passphrase: string | undefined): Result<PrivateKey> {
  let readable = pem
  if (/^-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(pem)) {
    try {
      readable = fromPkcs8(pem, passphrase)
    } catch (error) {
      return refusalByMessage(messageOf(error), passphrase)
    }
  }
  const parsed: ParsedKey | Error | ParsedKey[] = ssh2().utils.parseKey(readable, passphrase)
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (key === undefined || key instanceof Error) return refusalByMessage(key?.message ?? '', passphrase)
  if (!key.isPrivateKey())
    return refuse('public_key', 'There is no private key in it.', 'Choose the private key file.')
  const blob = key.getPublicSSH()
  const comment = key.comment ? ` ${key.comment}` : ''
  return ok({
    key,
    publicLine: `${key.type} ${blob.toString('base64')}${comment}`,
    fingerprint: fingerprintOf(blob),
    encrypted: isEncrypted(pem)
  })
}

/** What ssh2 and OpenSSL say, in the operator's words. */
function refusalByMessage(message: string, passphrase: string | undefined): Result<never> {
  const aboutPassphrase =
    /passphrase|encrypted|integrity check|authenticate data|bad decrypt|BAD_DECRYPT|interrupted or cancelled/i
  if (aboutPassphrase.test(message))
    return passphrase === undefined
      ? refuse(
          'passphrase_missing',
          'The key is encrypted and no passphrase was given.',
          'Enter its passphrase.'
        )
      : refuse('passphrase_wrong', 'The passphrase does not open the key.', 'Enter the passphrase again.')
  if (/malformed|invalid|asn1|wrong tag|too long|not enough data|DECODER/i.test(message))
    return refuse(
      'truncated',
      'The key is damaged or cut off.',
      'Copy the whole file, first and last line included.'
    )
  return refuse(
    'unknown_format',
    'This is no private key that can be read: OpenSSH, PEM and PuTTY (version 2) keys are.',
    newKeyHint
  )
}

function isEncrypted(pem: string): boolean {
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(pem)) return true
  if (/^PuTTY/.test(pem)) return !/^Encryption: none$/m.test(pem)
  const base64 = /BEGIN OPENSSH PRIVATE KEY-----([\s\S]*)-----END/.exec(pem)?.[1]
  return (
    base64 !== undefined &&
    !Buffer.from(base64, 'base64').subarray(15, 23).equals(Buffer.from('\0\0\0\x04none'))
  )
}
