import type { HostTestStep, KnownHostOutcome } from '@contract'

const testStep: Record<HostTestStep['step'], string> = {
  key: 'Key',
  connect: 'Connect',
  host_key: 'Host key',
  login: 'Log in',
  proxmox: 'Proxmox VE'
}

export const host = {
  addTitle: 'Add a host',
  name: 'Name',
  nameHint: 'How you call it in the chat, such as strong',
  address: 'Address',
  addressHint: 'Host name or IP address',
  port: 'Port',
  user: 'User',
  sudo: 'Run commands through sudo',
  identity: 'Key',
  identities: { keyFile: 'Key file', paste: 'Paste a key', generate: 'Generate a key', agent: 'SSH agent' },
  keyFile: 'Path of the private key',
  keyFileHint: 'Such as ~/.ssh/id_ed25519',
  privateKey: 'Private key',
  privateKeyHint: 'Starts with -----BEGIN OPENSSH PRIVATE KEY-----',
  passphrase: 'Passphrase, if it has one',
  generateBody: 'A new Ed25519 key is made and kept in the keychain.',
  generateDo: 'Generate',
  publicKey: 'Add this line to authorized_keys of the user on the host:',
  importDo: 'Keep the key',
  keyKept: (name: string) => `Kept as ${name}.`,
  agentBody: 'Keys that your SSH agent offers are tried.',
  test: 'Test connection',
  testing: 'Testing',
  add: 'Add host',
  steps: testStep,
  judge: 'Not trusted yet: compare it below. Nothing was sent.',
  trustTitle: (host: string) => `Is this the key of ${host}?`,
  trustBody: 'Compare it with what this prints on the console of the host:',
  trustCommand: 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub',
  trust: 'Trust this key',
  changedTitle: (host: string) => `The key of ${host} has changed`,
  changedBody:
    'Nothing was sent to it. Either the host was set up anew, or something stands between you and it.',
  was: 'Trusted so far',
  is: 'Offered now',
  replace: 'Replace the trusted key',
  fixFirst: 'Name, address and a key are needed.',
  keyFirst: 'Keep the key first, then test.',
  forget: 'Forget key',
  forgetTitle: (host: string) => `Forget the key of ${host}?`,
  forgetBody:
    'The next connection shows its key for you to judge. Nothing is sent before, and what waits for approval there is void.'
}

export const knownHosts = {
  open: 'Import known_hosts',
  body: 'Hosts whose keys your ssh trusts already need no card. Hashed files are read too.',
  own: 'Read ~/.ssh/known_hosts',
  paste: 'Or paste its lines',
  take: 'Import these lines',
  unreadable: (lines: string) => `Not readable: line ${lines}`,
  outcomes: {
    imported: 'trusted now',
    same: 'was trusted already',
    other_key: 'another key is trusted and stays',
    pinned: 'its key stands in the configuration',
    revoked: 'not taken: the file revokes a key of it',
    authority: 'not taken: vouched for by a certificate authority only',
    unsupported: 'not taken: no key of a supported type',
    absent: 'not named in the file'
  } satisfies Record<KnownHostOutcome['outcome'], string>
}
