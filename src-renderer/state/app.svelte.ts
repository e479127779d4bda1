import { createContext } from 'svelte'
import type { AppError, Bridge, Reply, SettingsPatch, SettingsView } from '@contract'
import { firstSession } from '../lib/first-session'
import { forgetHostDraft } from '../lib/host-draft'
import { recall } from '../lib/remember'
import { Announcer } from './announcer.svelte'
import { ApprovalForms } from './approval.svelte'
import { Client } from './client.svelte'
import { Drafts } from './composer.svelte'
import { FleetPage } from './fleet-page.svelte'
import { HostForm } from './host-form.svelte'
import { KnowledgePage } from './knowledge-page.svelte'
import { McpPage } from './mcp-page.svelte'
import { Nav } from './nav.svelte'
import { OpsPage } from './ops-page.svelte'
import { Outputs } from './output.svelte'
import { SessionActions } from './session-actions.svelte'
import { SessionSearch } from './session-search.svelte'
import { Store } from './store.svelte'
import { Sync } from './sync.svelte'

interface Toast {
  readonly id: number
  readonly text: string
  readonly hint: string | null
  readonly failed: boolean
}

const toastTime = 5_000

/** Composes the screen's state. One object for the whole window, reached through the context. */
export class App {
  readonly client: Client
  readonly store = new Store()
  readonly nav = new Nav()
  readonly announcer = new Announcer()
  readonly sync: Sync
  readonly outputs: Outputs
  readonly drafts: Drafts
  readonly approvalForms: ApprovalForms
  readonly ops: OpsPage
  readonly fleet: FleetPage
  readonly knowledge: KnowledgePage
  readonly search: SessionSearch
  readonly mcp: McpPage
  readonly sessionActions = new SessionActions(this)
  /** Address that waits for the operator's word. */
  link = $state<string | null>(null)
  paletteOpen = $state(false)
  /** A host that is being added; it can be left and resumed. */
  hostForm: HostForm
  toasts = $state.raw<readonly Toast[]>([])
  #nextToast = 0

  readonly session = $derived(
    this.nav.sessionId === null ? null : (this.store.sessions.get(this.nav.sessionId) ?? null)
  )

  constructor(bridge: Bridge) {
    this.client = new Client(bridge)
    this.outputs = new Outputs(this.client)
    this.drafts = new Drafts(this.client, this.store)
    this.approvalForms = new ApprovalForms(this.client)
    this.ops = new OpsPage(this.client, this.store)
    this.fleet = new FleetPage(this.client, this.store)
    this.knowledge = new KnowledgePage(this.client)
    this.hostForm = $state.raw(new HostForm(this.client, this.store))
    this.mcp = new McpPage(this.client)
    this.search = new SessionSearch(this.client)
    this.sync = new Sync(this.client, this.store, {
      current: () => this.nav.sessionId,
      output: (event) => this.outputs.receive(event),
      navigate: (to) => this.nav.goTo(to),
      mcp: (event) => this.mcp.receive(event),
      skill: ({ skill }) => this.knowledge.putSkill(skill),
      deleted: (sessionId) => this.#leave(sessionId),
      begin: (boot) => {
        const { sessionId } = this.nav
        this.nav.sessionId = firstSession(boot, sessionId)
        // What was written while Nomos started is not left behind in a session that is not shown.
        this.drafts.carry(sessionId, this.nav.sessionId)
      }
    })
    this.nav.sessionId = recall('session') || null
  }

  start(): () => void {
    return this.sync.start()
  }

  /** Shows what a request answered: nothing when it went well, the failure when it did not. */
  report<T>(reply: Reply<T>): T | null {
    if (reply.ok) return reply.data
    this.fail(reply.error)
    return null
  }

  fail(error: AppError): void {
    this.#toast({ text: error.message, hint: error.hint ?? null, failed: true })
  }

  tell(text: string): void {
    this.#toast({ text, hint: null, failed: false })
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id)
  }

  async copy(text: string): Promise<boolean> {
    const reply = await this.client.request('app.copy', { text })
    this.report(reply)
    return reply.ok
  }

  async send(): Promise<void> {
    const from = this.nav.sessionId
    const target = await this.drafts.send(from)
    if (target !== null && this.nav.sessionId === from && target !== from) this.nav.openSession(target)
  }

  renewHostForm(): void {
    forgetHostDraft()
    this.hostForm = new HostForm(this.client, this.store)
  }

  async updateSettings(change: SettingsPatch): Promise<SettingsView | null> {
    const settings = this.report(await this.client.request('settings.update', change))
    if (settings !== null) this.store.settings = settings
    return settings
  }

  /** Leads to an execution: beside the conversation, or in Ops. */
  showExecution(id: string): void {
    this.fleet.requested = null
    this.nav.executionId = id
    if (this.nav.page === 'chat') this.nav.showInspector(true)
    else this.nav.go('ops')
  }

  /** The theme that is on the screen. */
  get theme(): 'light' | 'dark' {
    return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
  }

  #leave(sessionId: string): void {
    if (this.nav.sessionId !== sessionId) return
    const page = this.nav.page
    this.nav.openSession(null)
    this.nav.page = page
  }

  #toast(toast: Omit<Toast, 'id'>): void {
    const id = this.#nextToast++
    this.announcer.say(toast.hint === null ? toast.text : `${toast.text} ${toast.hint}`)
    this.toasts = [...this.toasts.slice(-2), { id, ...toast }]
    setTimeout(() => this.dismiss(id), toast.failed ? toastTime * 2 : toastTime)
  }
}

export const [useApp, provideApp] = createContext<App>()
