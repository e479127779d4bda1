import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2'

/** Host key types in order of preference, and the signatures asked for; RSA only with SHA-2. */
const signatures: readonly (readonly [type: string, algorithms: readonly ServerHostKeyAlgorithm[]])[] = [
  ['ssh-ed25519', ['ssh-ed25519']],
  ['ecdsa-sha2-nistp256', ['ecdsa-sha2-nistp256']],
  ['ecdsa-sha2-nistp384', ['ecdsa-sha2-nistp384']],
  ['ecdsa-sha2-nistp521', ['ecdsa-sha2-nistp521']],
  ['ssh-rsa', ['rsa-sha2-512', 'rsa-sha2-256']]
]

export const hostKeyTypes: readonly string[] = signatures.map(([type]) => type)

/** What is offered to a server: host keys of `types` only, and nothing that rests on SHA-1. */
export const algorithmsFor = (types: readonly string[]): Algorithms => ({
  serverHostKey: signatures.filter(([type]) => types.includes(type)).flatMap(([, algorithms]) => algorithms),
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512']
})
