import type { UsageSpan } from '@contract'
import type { Client } from './client.svelte'
import { Reading } from './reading.svelte'

export const guestTabs = [
  'overview',
  'snapshots',
  'services',
  'logs',
  'updates',
  'executions',
  'actions'
] as const
export const hostTabs = [
  'overview',
  'guests',
  'storages',
  'tasks',
  'services',
  'logs',
  'updates',
  'executions',
  'actions'
] as const
export type TargetTab = (typeof guestTabs)[number] | (typeof hostTabs)[number]

export const logLengths = [100, 300, 1000, 2000] as const

/** One host or guest that is looked at. Each part is read when its tab is shown, and again when something changed. */
export class TargetPage {
  tab = $state<TargetTab>('overview')
  span = $state<UsageSpan>('hour')
  /** The service whose journal is shown; empty: everything. */
  logsOf = $state('')
  logLines = $state<number>(300)
  logFilter = $state('')
  serviceFilter = $state('')
  storage = $state<string | null>(null)
  readonly target: string
  readonly detail
  readonly usage
  readonly snapshots
  readonly services
  readonly logs
  readonly updates
  readonly tasks
  readonly content

  constructor(client: Client, target: string, host: string | null) {
    this.target = target
    this.detail = new Reading(() => client.request('target.detail', { target }))
    this.usage = new Reading(() => client.request('target.usage', { target, span: this.span }))
    this.snapshots = new Reading(() => client.request('target.snapshots', { target }))
    this.services = new Reading(() => client.request('target.services', { target }))
    this.logs = new Reading(() =>
      client.request('target.logs', {
        target,
        lines: this.logLines,
        ...(this.logsOf === '' ? {} : { service: this.logsOf })
      })
    )
    this.updates = new Reading(() => client.request('target.updates', { target }))
    this.tasks = new Reading(() => client.request('node.tasks', { host: host ?? '' }))
    this.content = new Reading(() =>
      client.request('node.content', { host: host ?? '', storage: this.storage ?? '' })
    )
  }

  /** Something was done to it: what is known of it is read again. */
  changed(): void {
    for (const part of [this.detail, this.snapshots, this.services, this.updates, this.tasks, this.content])
      void part.again()
  }

  showSpan(span: UsageSpan): void {
    this.span = span
    void this.usage.read()
  }

  showLogsOf(service: string): void {
    this.logsOf = service
    this.tab = 'logs'
    this.logs.value = null
    void this.logs.read()
  }

  showStorage(storage: string | null): void {
    if (storage === this.storage) return
    this.storage = storage
    this.content.value = null
    if (storage !== null) void this.content.read()
  }
}
