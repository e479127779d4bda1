import { SvelteMap } from 'svelte/reactivity'
import type {
  AllowanceView,
  ApprovalView,
  AssentWindowView,
  Bootstrap,
  ExecutionView,
  FleetView,
  HostKeyOffer,
  HostView,
  NomosEvent,
  PlanView,
  SessionPage,
  SessionState,
  SessionUsage,
  SessionView,
  SignalView,
  SettingsView,
  ToolCallView
} from '@contract'
import { executionEnded } from '../lib/states'
import { outliving } from './outliving.svelte'
import { Transcript } from './transcript.svelte'

const emptyFleet: FleetView = { hosts: [], guests: [], storages: [], refreshedAt: null }

/** What the store cannot do by itself when it applies an event. */
export interface StoreHooks {
  /** Streamed text did not join what is held. */
  readonly reopen: (sessionId: string) => void
  readonly output: (event: Extract<NomosEvent, { type: 'execution.output' }>) => void
  readonly mcp: (event: Extract<NomosEvent, { type: 'mcp.changed' }>) => void
  readonly skill: (event: Extract<NomosEvent, { type: 'skill.changed' }>) => void
  readonly deleted: (sessionId: string) => void
  readonly navigate: (to: Extract<NomosEvent, { type: 'navigate' }>['to']) => void
}

/** Everything the screen knows, by id. Views read it; only requests' answers and events write it. */
export class Store {
  version = $state('')
  settings = $state.raw<SettingsView | null>(null)
  fleet = $state.raw<FleetView>(emptyFleet)
  readonly sessions = new SvelteMap<string, SessionView>()
  readonly toolCalls = new SvelteMap<string, ToolCallView>()
  readonly plans = new SvelteMap<string, PlanView>()
  readonly approvals = new SvelteMap<string, ApprovalView>()
  readonly executions = new SvelteMap<string, ExecutionView>()
  readonly assents = new SvelteMap<string, AssentWindowView>()
  readonly signals = new SvelteMap<string, SignalView>()
  readonly usages = new SvelteMap<string, SessionUsage>()
  readonly allowances = new SvelteMap<string, AllowanceView>()
  readonly transcripts = new SvelteMap<string, Transcript>()
  /** Keys that wait to be judged, by the host that shows them. */
  readonly keyOffers: ReadonlyMap<string, HostKeyOffer> = $derived(
    new Map(this.fleet.hosts.flatMap((host) => offerOf(host)))
  )
  readonly banners = new SvelteMap<string, string>()
  /** Grows when an execution begins, changes its state or ends: lists are read anew. */
  executionChanges = $state(0)

  readonly sessionList = $derived([...this.sessions.values()].sort((a, b) => b.updatedAt - a.updatedAt))
  readonly waiting = $derived(
    [...this.approvals.values()]
      .filter((approval) => approval.state === 'awaiting_approval')
      .sort((a, b) => a.requestedAt - b.requestedAt)
  )
  /** What was noticed on the fleet and is not over, the gravest first. */
  readonly unresolved = $derived(
    [...this.signals.values()]
      .filter((signal) => signal.state !== 'resolved')
      .sort((a, b) => gravity[a.level] - gravity[b.level] || b.openedAt - a.openedAt)
  )
  readonly active = $derived(
    [...this.executions.values()]
      .filter((execution) => !executionEnded(execution.state) && execution.state !== 'awaiting_approval')
      .sort((a, b) => a.requestedAt - b.requestedAt)
  )

  /** Sessions for which something runs on a host, also while no turn does. */
  readonly #busy = $derived(new Set(this.active.map(({ sessionId }) => sessionId)))

  /** What a session is doing: between two turns it may still wait for what runs on its behalf. */
  stateOf({ id, state }: SessionView): SessionState {
    return state === 'idle' && this.#busy.has(id) ? 'running' : state
  }

  reset(boot: Bootstrap): void {
    this.version = boot.version
    this.settings = boot.settings
    this.fleet = boot.fleet
    replace(this.sessions, boot.sessions)
    replace(this.plans, boot.plans)
    replace(this.approvals, boot.approvals)
    replace(this.assents, boot.assents)
    replace(this.allowances, boot.allowances)
    replace(this.executions, boot.executions)
    replace(this.signals, boot.signals)
    this.toolCalls.clear()
    this.banners.clear()
    this.executionChanges += 1
  }

  transcript(sessionId: string): Transcript {
    const known = this.transcripts.get(sessionId)
    if (known !== undefined) return known
    const made = outliving(() => new Transcript(sessionId))
    this.transcripts.set(sessionId, made)
    return made
  }

  /** Lets go what was read of a session that is not on the screen. */
  letGo(sessionId: string): void {
    this.transcripts.delete(sessionId)
    for (const [id, call] of this.toolCalls) if (call.sessionId === sessionId) this.toolCalls.delete(id)
  }

  /** What belongs to a page of a session, whether the newest or an older one. */
  addPage(page: SessionPage): void {
    this.sessions.set(page.session.id, page.session)
    for (const call of page.toolCalls) this.toolCalls.set(call.id, call)
    for (const plan of page.plans) this.plans.set(plan.id, plan)
    for (const approval of page.approvals) this.approvals.set(approval.id, approval)
    for (const execution of page.executions) this.executions.set(execution.id, execution)
    this.usages.set(page.session.id, page.usage)
    if (page.assent !== null) this.assents.set(page.assent.id, page.assent)
  }

  executionsOf(sessionId: string): ExecutionView[] {
    return [...this.executions.values()]
      .filter((execution) => execution.sessionId === sessionId)
      .sort((a, b) => b.requestedAt - a.requestedAt)
  }

  assentOf(sessionId: string, now: number): AssentWindowView | null {
    for (const assent of this.assents.values()) {
      if (assent.sessionId === sessionId && assent.endedAt === null && assent.expiresAt > now) return assent
    }
    return null
  }

  apply(event: NomosEvent, hooks: StoreHooks): void {
    switch (event.type) {
      case 'session.changed':
        this.sessions.set(event.session.id, event.session)
        return
      case 'session.deleted':
        this.#forgetSession(event.sessionId)
        hooks.deleted(event.sessionId)
        return
      case 'message.changed':
        this.transcripts.get(event.message.sessionId)?.put(event.message)
        return
      case 'message.removed':
        this.transcripts.get(event.sessionId)?.remove(event.messageId)
        return
      case 'message.delta': {
        const transcript = this.transcripts.get(event.sessionId)
        if (transcript === undefined) return
        const joined = transcript.append(event.messageId, event.index, event.offset, event.text)
        if (!joined) hooks.reopen(event.sessionId)
        return
      }
      case 'tool_call.changed':
        this.toolCalls.set(event.call.id, event.call)
        return
      case 'usage.changed':
        this.usages.set(event.sessionId, event.usage)
        return
      case 'activity.changed':
        this.transcript(event.activity.sessionId).activity = event.activity
        return
      case 'plan.changed':
        this.plans.set(event.plan.id, event.plan)
        return
      case 'approval.changed':
        this.approvals.set(event.approval.id, event.approval)
        return
      case 'execution.changed':
        this.#putExecution(event.execution)
        return
      case 'execution.output':
        hooks.output(event)
        return
      case 'assent.changed':
        this.assents.set(event.assent.id, event.assent)
        return
      case 'allowance.changed':
        if (event.ended) this.allowances.delete(event.allowance.id)
        else this.allowances.set(event.allowance.id, event.allowance)
        return
      case 'fleet.changed':
        this.fleet = event.fleet
        return
      case 'host.changed':
        this.#putHost(event.host)
        return
      case 'signal.changed':
        this.signals.set(event.signal.id, event.signal)
        return
      case 'host.key_decided':
        // What follows from it comes with the host itself.
        return
      case 'settings.changed':
        this.settings = event.settings
        return
      case 'mcp.changed':
        hooks.mcp(event)
        return
      case 'skill.changed':
        hooks.skill(event)
        return
      case 'navigate':
        hooks.navigate(event.to)
        return
      case 'banner':
        if (event.gone) this.banners.delete(event.code)
        else this.banners.set(event.code, event.message)
    }
  }

  #putExecution(execution: ExecutionView): void {
    const known = this.executions.get(execution.id)
    this.executions.set(execution.id, execution)
    if (known?.state !== execution.state) this.executionChanges += 1
  }

  #putHost(host: HostView): void {
    const others = this.fleet.hosts.filter((known) => known.name !== host.name)
    const hosts = this.fleet.hosts.some((known) => known.name === host.name)
      ? this.fleet.hosts.map((known) => (known.name === host.name ? host : known))
      : [...others, host]
    this.fleet = { ...this.fleet, hosts }
  }

  /** Everything that hangs on a deleted session goes, so that nothing of it can be shown again. */
  #forgetSession(sessionId: string): void {
    this.sessions.delete(sessionId)
    this.usages.delete(sessionId)
    this.letGo(sessionId)
    for (const map of [this.plans, this.assents]) {
      for (const [id, thing] of map) if (thing.sessionId === sessionId) map.delete(id)
    }
  }
}

const gravity = { critical: 0, warning: 1, info: 2 } as const

/** The key that a host shows and that nobody has trusted yet. */
function offerOf({ name, error }: HostView): [string, HostKeyOffer][] {
  if (error?.code !== 'host_key_unknown' && error?.code !== 'host_key_changed') return []
  const { type, fingerprint, expected } = error.data ?? {}
  if (typeof type !== 'string' || typeof fingerprint !== 'string') return []
  return [[name, { host: name, type, fingerprint, expected: typeof expected === 'string' ? expected : null }]]
}

function replace<T extends { readonly id: string }>(map: SvelteMap<string, T>, things: readonly T[]): void {
  map.clear()
  for (const thing of things) map.set(thing.id, thing)
}
