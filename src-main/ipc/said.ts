import type {
  AllowanceView,
  ApprovalView,
  AuditEntry,
  Bootstrap,
  ExecutionView,
  FleetView,
  HostTestReport,
  HostView,
  McpServerView,
  MessageView,
  ModelCheckStep,
  NomosEvent,
  RouteName,
  RouteOutput,
  SessionPage
} from '../../src-preload/contract'
import type { Executions } from '../execution/port'
import type { Words } from '../words/words'
import type { Dispatch } from './dispatch'

type Executed = Pick<Executions, 'get' | 'approval'>

/**
 * What crosses the border to a window, in the operator's language: the one place where what the core says is said
 * anew. The core, its database, its log, the model and other MCP clients keep the core's own words.
 */
export class Said {
  constructor(
    private readonly words: () => Words,
    private readonly executions: Executed
  ) {}

  /** The same dispatch, whose answers are said in the operator's language. */
  dispatched(dispatch: Dispatch): Dispatch {
    return async (route, input) => {
      const reply = await dispatch(route, input)
      return reply.ok
        ? { ok: true, data: this.answer(route, reply.data) }
        : { ok: false, error: this.words().error(reply.error) }
    }
  }

  private answer(route: unknown, data: unknown): unknown {
    // The map ties each route to the type of its own answer, which the union of all routes cannot express.
    const replies = this.replies as Readonly<Record<string, ((data: unknown) => unknown) | undefined>>
    const say = typeof route === 'string' && Object.hasOwn(replies, route) ? replies[route] : undefined
    return say ? say(data) : data
  }

  event(event: NomosEvent): NomosEvent {
    const words = this.words()
    switch (event.type) {
      case 'message.changed':
        return { ...event, message: this.message(event.message) }
      case 'tool_call.changed':
        return { ...event, call: words.call(event.call) }
      case 'activity.changed':
        return { ...event, activity: words.activity(event.activity) }
      case 'plan.changed':
        return { ...event, plan: words.plan(event.plan) }
      case 'approval.changed':
        return { ...event, approval: words.approval(event.approval) }
      case 'execution.changed':
        return { ...event, execution: this.execution(event.execution) }
      case 'allowance.changed':
        return { ...event, allowance: this.allowance(event.allowance) }
      case 'fleet.changed':
        return { ...event, fleet: this.fleet(event.fleet) }
      case 'host.changed':
        return { ...event, host: this.host(event.host) }
      case 'signal.changed':
        return { ...event, signal: words.signal(event.signal) }
      case 'mcp.changed':
        return { ...event, server: this.server(event.server) }
      case 'banner':
        return { ...event, message: words.error({ code: event.code, message: event.message }).message }
      default:
        return event
    }
  }

  private readonly replies: { readonly [R in RouteName]?: (data: RouteOutput<R>) => RouteOutput<R> } = {
    'app.bootstrap': (data) => this.bootstrap(data),
    'session.open': (page) => this.page(page),
    'message.send': (message) => this.message(message),
    'message.edit_queued': (message) => this.message(message),
    'tool_call.get': (call) => this.words().call(call),
    'approval.decide': (approval) => this.words().approval(approval),
    'action.list': (actions) => actions.map((action) => this.words().action(action)),
    'execution.request': (execution) => this.execution(execution),
    'execution.get': (execution) => this.execution(execution),
    'execution.cancel': (execution) => this.execution(execution),
    'execution.rerun': (execution) => this.execution(execution),
    'execution.list': (list) => ({
      ...list,
      executions: list.executions.map((execution) => this.execution(execution))
    }),
    'audit.list': (entries) => entries.map((entry) => this.entry(entry)),
    'fleet.get': (fleet) => this.fleet(fleet),
    'fleet.refresh': (fleet) => this.fleet(fleet),
    'host.add': (fleet) => this.fleet(fleet),
    'host.remove': (fleet) => this.fleet(fleet),
    'host.test': (report) => this.tested(report),
    'model.check': (steps) => steps.map((step) => this.checked(step)),
    'signal.list': (signals) => signals.map((signal) => this.words().signal(signal)),
    'signal.acknowledge': (signal) => this.words().signal(signal),
    'mcp.list': (servers) => servers.map((server) => this.server(server)),
    'mcp.add': (server) => this.server(server),
    'mcp.consent': (server) => this.server(server),
    'mcp.allow_tool': (server) => this.server(server),
    'mcp.reconnect': (server) => this.server(server)
  }

  private bootstrap(data: Bootstrap): Bootstrap {
    const words = this.words()
    return {
      ...data,
      fleet: this.fleet(data.fleet),
      executions: data.executions.map((execution) => this.execution(execution)),
      plans: data.plans.map((plan) => words.plan(plan)),
      approvals: data.approvals.map((approval) => words.approval(approval)),
      signals: data.signals.map((signal) => words.signal(signal)),
      allowances: data.allowances.map((allowance) => this.allowance(allowance))
    }
  }

  private page(page: SessionPage): SessionPage {
    const words = this.words()
    return {
      ...page,
      messages: page.messages.map((message) => this.message(message)),
      toolCalls: page.toolCalls.map((call) => words.call(call)),
      plans: page.plans.map((plan) => words.plan(plan)),
      executions: page.executions.map((execution) => this.execution(execution)),
      approvals: page.approvals.map((approval): ApprovalView => words.approval(approval)),
      activity: page.activity && words.activity(page.activity)
    }
  }

  private message(message: MessageView): MessageView {
    if (!message.parts.some(({ type }) => type === 'notice')) return message
    const parts = message.parts.map((part) =>
      part.type === 'notice' ? { ...part, error: this.words().error(part.error) } : part
    )
    return { ...message, parts }
  }

  private execution(execution: ExecutionView): ExecutionView {
    const { waitsFor } = execution
    const said = this.words().execution(execution)
    return waitsFor === null
      ? said
      : { ...said, waitsFor: { ...waitsFor, title: this.titleOf(waitsFor.executionId) ?? waitsFor.title } }
  }

  private allowance(allowance: AllowanceView): AllowanceView {
    return { ...allowance, title: this.titleOf(allowance.executionId) ?? allowance.title }
  }

  /** Of what an entry is about its sentences are said; what was hashed is not touched. */
  private entry(entry: AuditEntry): AuditEntry {
    const approval = this.executions.approval(entry.subject)
    const about = approval.ok ? approval.value.subject.id : entry.subject
    const found = this.executions.get(about)
    if (!found.ok && !approval.ok) return entry
    const said = found.ok ? this.words().execution(found.value) : null
    return {
      ...entry,
      said: {
        ...(said && typeof entry.data['title'] === 'string' && { title: said.title }),
        ...(approval.ok &&
          typeof entry.data['rule'] === 'string' && { rule: this.words().approval(approval.value).rule })
      }
    }
  }

  private titleOf(executionId: string): string | null {
    const found = this.executions.get(executionId)
    return found.ok ? this.words().execution(found.value).title : null
  }

  private fleet(fleet: FleetView): FleetView {
    return { ...fleet, hosts: fleet.hosts.map((host) => this.host(host)) }
  }

  private host(host: HostView): HostView {
    return host.error === null ? host : { ...host, error: this.words().error(host.error) }
  }

  private server(server: McpServerView): McpServerView {
    return server.error === null ? server : { ...server, error: this.words().error(server.error) }
  }

  private tested(report: HostTestReport): HostTestReport {
    return {
      ...report,
      steps: report.steps.map((step) => {
        const error = step.error && this.words().error(step.error)
        if (error) return { ...step, message: [error.message, error.hint].filter(Boolean).join(' ') }
        return { ...step, message: this.words().step(step.step, step.ok, step.message) }
      })
    }
  }

  private checked(step: ModelCheckStep): ModelCheckStep {
    const message = step.error
      ? this.words().error(step.error).message
      : this.words().step(step.name, step.ok, step.message)
    return { ...step, message }
  }
}
