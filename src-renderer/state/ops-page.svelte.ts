import { executionEnded } from '../lib/states'
import type { AppError, AuditEntry, AuditSubject, AuditVerification, ExecutionView } from '@contract'
import type { Client } from './client.svelte'
import type { Store } from './store.svelte'

export type HistoryFilter = 'all' | 'succeeded' | 'failed'

const pageSize = 50
const typingPause = 200

/** The history of executions and the audit trail, as far as they were read. */
export class OpsPage {
  tab = $state<'executions' | 'audit'>('executions')
  query = $state('')
  filter = $state<HistoryFilter>('all')
  total = $state(0)
  loading = $state(false)
  loaded = $state(false)
  error = $state.raw<AppError | null>(null)
  #ids = $state.raw<readonly string[]>([])
  #timer: ReturnType<typeof setTimeout> | undefined
  #reading = 0
  #auditTimer: ReturnType<typeof setTimeout> | undefined
  #readingAudit = 0

  auditQuery = $state('')
  auditAbout = $state<AuditSubject>('all')
  audit = $state.raw<readonly AuditEntry[]>([])
  auditLoaded = $state(false)
  auditMore = $state(false)
  auditError = $state.raw<AppError | null>(null)
  verification = $state.raw<AuditVerification | null>(null)
  readonly #client: Client
  readonly #store: Store

  readonly history: readonly ExecutionView[] = $derived.by(() =>
    this.#ids.map((id) => this.#store.executions.get(id)).filter((execution) => execution !== undefined)
  )
  readonly hasMore = $derived(this.#ids.length < this.total)

  constructor(client: Client, store: Store) {
    this.#client = client
    this.#store = store
  }

  /** Reads the first page anew once typing or a burst of changes has paused. */
  readSoon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.read(), this.loaded ? typingPause : 0)
  }

  /** Reads the first page before anybody asks for it. */
  async readAhead(): Promise<void> {
    if (!this.loaded && !this.loading) await this.read()
  }

  async read(): Promise<void> {
    await this.#fetch(undefined)
  }

  async readMore(): Promise<void> {
    await this.#fetch(this.#ids.at(-1))
  }

  readAuditSoon(): void {
    clearTimeout(this.#auditTimer)
    this.#auditTimer = setTimeout(() => void this.readAudit(), this.auditLoaded ? typingPause : 0)
  }

  async readAudit(more = false): Promise<void> {
    const reading = ++this.#readingAudit
    const last = more ? this.audit.at(-1) : undefined
    const reply = await this.#client.request('audit.list', {
      limit: 100,
      about: this.auditAbout,
      query: this.auditQuery.trim(),
      ...(last === undefined ? {} : { beforeSeq: last.seq })
    })
    if (reading !== this.#readingAudit) return
    this.auditLoaded = true
    this.auditError = reply.ok ? null : reply.error
    if (!reply.ok) return
    const page = reply.data.toSorted((a, b) => b.seq - a.seq)
    this.audit = more ? [...this.audit, ...page] : page
    this.auditMore = page.length === 100
  }

  async verify(): Promise<void> {
    const reply = await this.#client.request('audit.verify', {})
    this.auditError = reply.ok ? null : reply.error
    this.verification = reply.ok ? reply.data : null
  }

  async #fetch(before: string | undefined): Promise<void> {
    const reading = ++this.#reading
    this.loading = true
    const reply = await this.#client.request('execution.list', {
      query: this.query.trim(),
      state: this.filter,
      limit: pageSize,
      ...(before === undefined ? {} : { before })
    })
    if (reading !== this.#reading) return
    this.loading = false
    this.loaded = true
    this.error = reply.ok ? null : reply.error
    if (!reply.ok) return
    for (const execution of reply.data.executions) this.#keep(execution)
    const ids = reply.data.executions.map((execution) => execution.id)
    this.#ids = before === undefined ? ids : [...this.#ids, ...ids]
    this.total = reply.data.total
  }

  /** One that has ended does not change any more: its row is not drawn anew when the list is read again. */
  #keep(execution: ExecutionView): void {
    const known = this.#store.executions.get(execution.id)
    if (known?.state === execution.state && executionEnded(execution.state)) return
    this.#store.executions.set(execution.id, execution)
  }
}
