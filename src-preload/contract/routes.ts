import { z } from 'zod'
import { attachmentLimits } from './attachment'
import { hostConfigSchema, mcpServerName, mcpServerSchema, settingsPatchSchema } from './config'
import { actionRequestSchema } from './execution'
import type { AttachmentDetail } from './attachment'
import type { AllowanceView, ApprovalView, AssentWindowView, PlanView } from './approval'
import type { ActionView, ExecutionView, OutputSlice } from './execution'
import type { BackupView } from './data'
import type { FleetView, HostTestReport, KnownHostsReport } from './fleet'
import type { DocumentView, KnowledgeHit, SkillsView, SkillView } from './knowledge'
import type { McpServerView } from './mcp'
import type { MessageView, SearchHit, SessionPage, SessionView, ToolCallDetail } from './session'
import {
  usageSpans,
  type FleetSamples,
  type NodeChoices,
  type ServiceView,
  type SnapshotView,
  type StoredVolume,
  type TargetDetail,
  type TaskView,
  type UpdateView,
  type UsageSample
} from './target'
import type { AuditEntry, AuditVerification, ModelCheckStep, SecretCheck, SettingsView } from './settings'
import type { SignalView } from './signal'
import { auditSubjects } from './settings'

const id = z.string().min(1).max(64)
const nothing = z.strictObject({})
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const target = z.string().min(1).max(200)
const hostName = z.string().min(1).max(64)
const text = z.string().min(1).max(1_000_000)
const attachments = z
  .array(
    z.strictObject({
      name: z.string().max(attachmentLimits.name),
      text: z.string().min(1).max(attachmentLimits.characters)
    })
  )
  .max(attachmentLimits.perMessage)

/** Everything a window needs to start or to resynchronise, as of event `seq`. */
export interface Bootstrap {
  readonly version: string
  readonly seq: number
  readonly settings: SettingsView
  readonly sessions: readonly SessionView[]
  readonly fleet: FleetView
  /** Executions that are not terminal, and the plans and approvals that wait. */
  readonly executions: readonly ExecutionView[]
  readonly plans: readonly PlanView[]
  readonly approvals: readonly ApprovalView[]
  readonly assents: readonly AssentWindowView[]
  /** What was noticed on the fleet and is not over. */
  readonly signals: readonly SignalView[]
  readonly allowances: readonly AllowanceView[]
}

/** Binds a route's input schema to the type of its answer; the answer has no run-time part. */
interface Route<I extends z.ZodType, O> {
  readonly input: I
  readonly output?: O
}
const route =
  <O>() =>
  <I extends z.ZodType>(input: I): Route<I, O> => ({ input })

/**
 * Every request a window can make: the whole surface of the main process.
 * Inputs are checked against these schemas before anything else happens.
 */
export const routes = {
  'app.bootstrap': route<Bootstrap>()(nothing),
  /** The number of the newest event: a window that has not heard it reads everything anew. */
  'app.newest_event': route<number>()(nothing),
  'app.open_external': route<null>()(z.strictObject({ url: z.string().max(2048) })),
  'app.copy': route<null>()(z.strictObject({ text: z.string().max(5_000_000) })),
  'app.show_logs': route<null>()(nothing),
  /** A part of the window could not be shown; goes to the log. */
  'app.view_failed': route<null>()(z.strictObject({ reason: z.string().max(4_000) })),
  /** Which place the window shows: what is seen there needs no notification. */
  'app.shows': route<null>()(
    z.strictObject({
      page: z.enum(['chat', 'ops', 'fleet', 'knowledge', 'settings']),
      sessionId: id.optional()
    })
  ),

  'session.create': route<SessionView>()(z.strictObject({ model: z.string().max(64).nullable().optional() })),
  'session.open': route<SessionPage>()(
    z.strictObject({
      id,
      beforeSeq: z.number().int().optional(),
      limit: z.number().int().min(1).max(200).default(50)
    })
  ),
  'session.list': route<SessionView[]>()(nothing),
  'session.rename': route<SessionView>()(z.strictObject({ id, title: z.string().min(1).max(200) })),
  /** Null: the default one of the settings. Error: `model_unknown`. */
  'session.set_model': route<SessionView>()(z.strictObject({ id, model: z.string().max(64).nullable() })),
  'session.delete': route<null>()(z.strictObject({ id })),
  'session.fork': route<SessionView>()(z.strictObject({ id, messageId: id })),
  'session.export': route<{ content: string }>()(
    z.strictObject({ id, format: z.enum(['markdown', 'json']) })
  ),
  /** A session from the JSON of an export; nothing of it runs. Errors: `import_invalid`, `import_newer`. */
  'session.import': route<SessionView>()(z.strictObject({ content: z.string().max(100_000_000) })),
  'session.search': route<SearchHit[]>()(z.strictObject({ query: z.string().max(400) })),
  /** Goes on with results that wait because the window was closed or a bound was met. */
  'session.continue': route<null>()(z.strictObject({ id })),

  /** The text may be empty beside attachments. */
  'message.send': route<MessageView>()(
    z.strictObject({ sessionId: id, text: z.string().max(1_000_000), attachments: attachments.default([]) })
  ),
  'message.edit_queued': route<MessageView>()(z.strictObject({ messageId: id, text })),
  'message.remove_queued': route<null>()(z.strictObject({ messageId: id })),
  'turn.stop': route<null>()(z.strictObject({ sessionId: id })),
  /** Runs the last user message of the session once more. */
  'turn.retry': route<null>()(z.strictObject({ sessionId: id })),
  'attachment.get': route<AttachmentDetail>()(z.strictObject({ id })),
  'tool_call.get': route<ToolCallDetail>()(z.strictObject({ id })),

  'approval.decide': route<ApprovalView>()(
    z.strictObject({
      id,
      hash: z.string().min(8).max(128),
      decision: z.enum(['approve', 'deny']),
      route: z.enum(['chat', 'ops', 'fleet']),
      reason: z.string().max(2000).optional(),
      /** The guest's name as typed by the operator, for destructive executions. */
      confirmName: z.string().max(255).optional(),
      /** "Allow exactly this for 30 minutes". */
      allowMinutes: z.number().int().min(1).max(30).optional()
    })
  ),
  'allowance.end': route<null>()(z.strictObject({ id })),
  'assent.end': route<AssentWindowView>()(z.strictObject({ id })),

  'action.list': route<ActionView[]>()(nothing),
  'execution.request': route<ExecutionView>()(actionRequestSchema),
  'execution.list': route<{ executions: ExecutionView[]; total: number }>()(
    z.strictObject({
      query: z.string().max(200).default(''),
      state: z.enum(['all', 'active', 'waiting', 'succeeded', 'failed']).default('all'),
      before: z.string().max(64).optional(),
      limit: z.number().int().min(1).max(200).default(50)
    })
  ),
  'execution.get': route<ExecutionView>()(z.strictObject({ id })),
  /** Without `offset`: the tail. */
  'execution.output': route<OutputSlice>()(
    z.strictObject({
      id,
      offset: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(1_048_576).default(65_536)
    })
  ),
  'execution.cancel': route<ExecutionView>()(z.strictObject({ id })),
  'execution.rerun': route<ExecutionView>()(z.strictObject({ id })),
  'audit.list': route<AuditEntry[]>()(
    z.strictObject({
      beforeSeq: z.number().int().optional(),
      limit: z.number().int().min(1).max(500).default(100),
      about: z.enum(auditSubjects).default('all'),
      query: z.string().max(200).default('')
    })
  ),
  'audit.verify': route<AuditVerification>()(nothing),
  'audit.export': route<{ content: string }>()(z.strictObject({ format: z.enum(['json', 'csv']) })),

  'fleet.get': route<FleetView>()(nothing),
  'fleet.refresh': route<FleetView>()(nothing),
  'fleet.samples': route<FleetSamples>()(nothing),

  /** One host or guest as its node tells it now. What is told of it is asked for part by part, as it is looked at. */
  'target.detail': route<TargetDetail>()(z.strictObject({ target })),
  'target.snapshots': route<SnapshotView[]>()(z.strictObject({ target })),
  'target.services': route<ServiceView[]>()(z.strictObject({ target })),
  'target.logs': route<string[]>()(
    z.strictObject({
      target,
      service: z
        .string()
        .regex(/^[A-Za-z0-9_][A-Za-z0-9:_.\\@-]{0,254}$/)
        .optional(),
      lines: z.number().int().min(1).max(2000).default(300)
    })
  ),
  'target.updates': route<UpdateView[]>()(z.strictObject({ target })),
  'target.usage': route<UsageSample[]>()(z.strictObject({ target, span: z.enum(usageSpans) })),
  'node.tasks': route<TaskView[]>()(z.strictObject({ host: hostName })),
  'node.content': route<StoredVolume[]>()(z.strictObject({ host: hostName, storage: z.string().max(100) })),
  'node.choices': route<NodeChoices>()(z.strictObject({ host: hostName })),

  /** Those that are over too, the latest 200. */
  'signal.list': route<SignalView[]>()(nothing),
  'signal.acknowledge': route<SignalView>()(z.strictObject({ id })),
  'signal.unacknowledge': route<SignalView>()(z.strictObject({ id })),
  'host.test': route<HostTestReport>()(hostConfigSchema),
  'host.add': route<FleetView>()(hostConfigSchema),
  'host.remove': route<FleetView>()(z.strictObject({ name: z.string() })),
  /** Trusts exactly this fingerprint for this host; `replaceChanged` only from the settings page. */
  'host.trust_key': route<null>()(
    z.strictObject({ host: z.string(), fingerprint: z.string(), replaceChanged: z.boolean().default(false) })
  ),
  /** Trusts what a known_hosts file trusts; without `text`, the operator's own file is read. */
  'host.import_known_hosts': route<KnownHostsReport>()(
    z.strictObject({ text: z.string().min(1).max(4_000_000).optional() })
  ),
  /** The next connection to the host asks for its key anew; what waits for approval there is void. */
  'host.forget_key': route<null>()(z.strictObject({ host: z.string() })),
  'key.generate': route<{ keychainName: string; publicKey: string }>()(
    z.strictObject({ name: z.string().regex(/^[A-Za-z0-9_.@-]{1,64}$/) })
  ),
  'key.import': route<{ keychainName: string; publicKey: string }>()(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z0-9_.@-]{1,64}$/),
      privateKey: z.string().max(1_000_000),
      passphrase: z.string().max(1024).optional()
    })
  ),

  'settings.get': route<SettingsView>()(nothing),
  'settings.update': route<SettingsView>()(settingsPatchSchema),
  'secret.set': route<SettingsView>()(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z0-9_.@-]{1,128}$/),
      value: z.string().min(1).max(100_000)
    })
  ),
  'secret.delete': route<SettingsView>()(z.strictObject({ name: z.string() })),
  /** Reads it where it is kept; its value stays there. */
  'secret.check': route<SecretCheck>()(z.strictObject({ name: z.string() })),
  /** Asks the keychain once more, such as after it was unlocked. */
  'secret.retry': route<SettingsView>()(nothing),
  /** Without a name: the default one. */
  'model.check': route<ModelCheckStep[]>()(
    z.strictObject({ name: z.string().max(64).nullable().default(null) })
  ),
  /** Gives a further model another name; sessions that have chosen it follow. Errors: `model_unknown`, `config_…`. */
  'model.rename': route<SettingsView>()(
    z.strictObject({ from: z.string().min(1).max(64), to: z.string().trim().min(1).max(64) })
  ),
  'lab.start': route<SettingsView>()(nothing),
  'lab.stop': route<SettingsView>()(nothing),

  'mcp.list': route<McpServerView[]>()(nothing),
  /** Writes the server to the configuration; nothing is started before `mcp.consent`. */
  'mcp.add': route<McpServerView>()(z.strictObject({ name: mcpServerName, server: mcpServerSchema })),
  /** The operator has seen exactly what would be started or connected to: the one with this hash. */
  'mcp.consent': route<McpServerView>()(z.strictObject({ name: z.string().max(64), hash })),
  'mcp.allow_tool': route<McpServerView>()(
    z.strictObject({ server: z.string().max(64), tool: z.string().max(128), hash, allowed: z.boolean() })
  ),
  'mcp.reconnect': route<McpServerView>()(z.strictObject({ name: z.string().max(64) })),
  'mcp.remove': route<null>()(z.strictObject({ name: z.string().max(64) })),

  /** The copies of the database, the newest first. */
  'data.backups': route<BackupView[]>()(nothing),
  /** Writes today's copy anew. */
  'data.back_up': route<BackupView[]>()(nothing),
  /** Checks the copy and restarts the app with it; what is there now is kept among the backups. */
  'data.restore': route<null>()(
    z.strictObject({ name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,120}\.db$/) })
  ),
  'data.show_backups': route<null>()(nothing),
  /** Versions, settings, counts and the end of the log in one file, without secrets; its folder is shown. */
  'data.save_diagnostics': route<null>()(nothing),

  'knowledge.search': route<KnowledgeHit[]>()(z.strictObject({ query: z.string().max(400) })),
  'knowledge.list': route<KnowledgeHit[]>()(nothing),
  'knowledge.get': route<DocumentView>()(z.strictObject({ id })),
  'knowledge.save_note': route<DocumentView>()(
    z.strictObject({ id: id.optional(), title: z.string().min(1).max(200), body: z.string().max(1_000_000) })
  ),
  'knowledge.delete_note': route<null>()(z.strictObject({ id })),
  'skill.list': route<SkillsView>()(nothing),
  'skill.allow': route<SkillView>()(z.strictObject({ name: id, hash, allowed: z.boolean() }))
} as const

export type RouteName = keyof typeof routes
export type RouteInput<R extends RouteName> = z.input<(typeof routes)[R]['input']>
export type RouteParsed<R extends RouteName> = z.output<(typeof routes)[R]['input']>
export type RouteOutput<R extends RouteName> =
  (typeof routes)[R] extends Route<z.ZodType, infer O> ? O : never
