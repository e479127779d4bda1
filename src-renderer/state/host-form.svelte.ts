import type { AppError, Config, HostTestReport, Reply, RouteOutput } from '@contract'
import { hostDraft, keepHostDraft, type HostDraft } from '../lib/host-draft'
import type { Client } from './client.svelte'
import type { Store } from './store.svelte'

export const identityKinds = ['keyFile', 'paste', 'generate', 'agent'] as const
export type IdentityKind = (typeof identityKinds)[number]
type HostConfig = Config['hosts'][number]

/** A host that is being added: it is tested step by step, and nothing is kept until it is added. */
export class HostForm {
  name = $state('')
  address = $state('')
  port = $state(22)
  user = $state('root')
  sudo = $state(false)
  identity = $state<IdentityKind>('keyFile')
  keyFile = $state('~/.ssh/id_ed25519')
  privateKey = $state('')
  passphrase = $state('')
  /** Name in the keychain of a key that was pasted or generated. */
  keychainName = $state<string | null>(null)
  publicKey = $state<string | null>(null)
  report = $state.raw<HostTestReport | null>(null)
  error = $state.raw<AppError | null>(null)
  busy = $state<'none' | 'key' | 'test' | 'trust' | 'add'>('none')
  readonly #client: Client
  readonly #store: Store

  readonly hasKey = $derived(
    this.identity === 'agent' ||
      (this.identity === 'keyFile' ? this.keyFile.trim() !== '' : this.keychainName !== null)
  )
  readonly complete = $derived(this.name.trim() !== '' && this.address.trim() !== '' && this.hasKey)
  readonly tested = $derived(this.report?.ok === true)

  constructor(client: Client, store: Store) {
    this.#client = client
    this.#store = store
    this.#resume()
  }

  /** What is kept of it when it is left, also over a restart; secrets are not. */
  readonly draft = $derived<HostDraft>({
    name: this.name,
    address: this.address,
    port: this.port,
    user: this.user,
    sudo: this.sudo,
    identity: this.identity,
    keyFile: this.keyFile,
    keychainName: this.keychainName,
    publicKey: this.publicKey
  })
  readonly begun = $derived(this.name.trim() !== '' || this.address.trim() !== '')

  keep(): void {
    if (this.begun) keepHostDraft(this.draft)
  }

  #resume(): void {
    const { identity, ...rest } = hostDraft(this.draft)
    Object.assign(this, rest)
    this.identity = identityKinds.find((kind) => kind === identity) ?? 'keyFile'
  }

  choose(identity: IdentityKind): void {
    this.identity = identity
    this.keychainName = null
    this.publicKey = null
    this.report = null
  }

  async generateKey(): Promise<void> {
    await this.#keep(() => this.#client.request('key.generate', { name: this.#keyName() }))
  }

  async importKey(): Promise<void> {
    const passphrase = this.passphrase === '' ? {} : { passphrase: this.passphrase }
    await this.#keep(() =>
      this.#client.request('key.import', {
        name: this.#keyName(),
        privateKey: this.privateKey,
        ...passphrase
      })
    )
    if (this.keychainName !== null) {
      this.privateKey = ''
      this.passphrase = ''
    }
  }

  async test(): Promise<void> {
    if (!this.complete || this.busy !== 'none') return
    this.busy = 'test'
    this.error = null
    this.report = null
    if (this.identity === 'keyFile' && !(await this.#keepPassphrase())) {
      this.busy = 'none'
      return
    }
    const reply = await this.#client.request('host.test', this.#config())
    this.busy = 'none'
    this.error = reply.ok ? null : reply.error
    if (reply.ok) this.report = reply.data
  }

  /** Trusts the key that was shown, and tests on. */
  async trust(): Promise<void> {
    const offer = this.report?.offer
    if (offer == null) return
    this.busy = 'trust'
    const reply = await this.#client.request('host.trust_key', {
      host: offer.host,
      fingerprint: offer.fingerprint,
      replaceChanged: offer.expected !== null
    })
    this.busy = 'none'
    this.error = reply.ok ? null : reply.error
    if (reply.ok) await this.test()
  }

  async add(): Promise<boolean> {
    if (!this.complete || this.busy !== 'none') return false
    this.busy = 'add'
    const reply = await this.#client.request('host.add', this.#config())
    this.busy = 'none'
    this.error = reply.ok ? null : reply.error
    if (reply.ok) this.#store.fleet = reply.data
    return reply.ok
  }

  #keyName(): string {
    const name = this.name.trim().replace(/[^A-Za-z0-9_.@-]/g, '-')
    return `${name === '' ? 'host' : name}-key`.slice(0, 64)
  }

  async #keep(ask: () => Promise<Reply<RouteOutput<'key.generate' | 'key.import'>>>): Promise<void> {
    this.busy = 'key'
    const reply = await ask()
    this.busy = 'none'
    this.error = reply.ok ? null : reply.error
    if (!reply.ok) return
    this.keychainName = reply.data.keychainName
    this.publicKey = reply.data.publicKey
  }

  /** A key file's passphrase is a secret: the configuration only names it. */
  async #keepPassphrase(): Promise<boolean> {
    if (this.passphrase === '') return true
    const reply = await this.#client.request('secret.set', {
      name: this.#passphraseName(),
      value: this.passphrase
    })
    this.error = reply.ok ? null : reply.error
    return reply.ok
  }

  #passphraseName(): string {
    return `${this.#keyName()}-passphrase`
  }

  #config(): HostConfig {
    return {
      name: this.name.trim(),
      address: this.address.trim(),
      port: this.port,
      user: this.user.trim(),
      sudo: this.sudo,
      identity: this.#identity()
    }
  }

  #identity(): HostConfig['identity'] {
    if (this.identity === 'agent') return { agent: true }
    if (this.identity === 'keyFile') {
      const passphrase = this.passphrase === '' ? {} : { passphrase: `keychain:${this.#passphraseName()}` }
      return { keyFile: this.keyFile.trim(), ...passphrase }
    }
    return { keychain: this.keychainName ?? '' }
  }
}
