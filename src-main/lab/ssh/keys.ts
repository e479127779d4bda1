import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'

export interface LabKey {
  readonly file: string
  readonly privateKey: string
  /** The public key as it goes over the wire. */
  readonly publicBlob: Buffer
  /** `SHA256:…` as `ssh-keygen -lf` prints it. */
  readonly fingerprint: string
}

/** The key kept in `folder/name`, made the first time: ed25519, readable by the operator alone. */
export function labKey(folder: string, name: string): LabKey {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  const existing = existsSync(file) ? keyIn(file, readFileSync(file, 'utf8')) : null
  if (existing) return existing
  for (let attempt = 0; attempt < 8; attempt++) {
    const made = ssh2.utils.generateKeyPairSync('ed25519', { comment: `nomos-lab-${name}` })
    const key = keyIn(file, made.private)
    if (!key) continue
    writeFileSync(file, made.private, { mode: 0o600 })
    return key
  }
  throw new Error(`no usable key could be made for ${name}`)
}

/** Null when the text is no private key. */
function keyIn(file: string, text: string): LabKey | null {
  const parsed = ssh2.utils.parseKey(text)
  if (parsed instanceof Error) return null
  const publicBlob = parsed.getPublicSSH()
  const fingerprint = `SHA256:${createHash('sha256').update(publicBlob).digest('base64').replace(/=+$/, '')}`
  return { file, privateKey: text, publicBlob, fingerprint }
}
