import { z } from 'zod'
import type { AppError } from './errors'

export const executionStates = [
  'awaiting_approval',
  'approved',
  'starting',
  'running',
  'unknown',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
  'lost',
  'denied',
  'expired'
] as const
export type ExecutionState = (typeof executionStates)[number]

export const terminalStates = [
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
  'lost',
  'denied',
  'expired'
] as const satisfies readonly ExecutionState[]
export type TerminalState = (typeof terminalStates)[number]

/** True once nothing further can happen to the execution. */
export const isTerminal = (state: ExecutionState): state is TerminalState =>
  (terminalStates as readonly ExecutionState[]).includes(state)

/** From harmless to irreversible; the order is the order of severity. */
export const riskClasses = ['read_only', 'service_action', 'config_mutation', 'destructive'] as const
export type RiskClass = (typeof riskClasses)[number]

export const origins = ['agent', 'operator', 'signal', 'mcp'] as const
export type Origin = (typeof origins)[number]

/** One command of an execution, exactly as it is run: argv for one host, in one named step. */
export interface CommandLine {
  /** Short name of the step, such as `preflight`, `template`, `create`, `start`. */
  readonly step: string
  readonly argv: readonly string[]
  /** The argv quoted once for the remote POSIX shell: what is shown, hashed and run. */
  readonly text: string
}

/** A sentence of the core apart from its English words: which one it is, and what it speaks of. */
export interface Saying {
  readonly id: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Proof, read back from the host after the command, that the action did what it says. */
export interface Verification {
  readonly ok: boolean
  readonly summary: string
  /** What the summary says; absent where it is the words of a host. */
  readonly said?: Saying
}

/** Where an action acts and what was found there: with its params, all that sentences about it are made of. */
export interface ActionPlaceView {
  /** The configured host it runs on. */
  readonly host: string
  /** Name of the node behind the host. */
  readonly node: string
  readonly vmid: number | null
  readonly guestName: string | null
  /** What was found before asking and the commands depend on. */
  readonly found: Readonly<Record<string, unknown>>
}

/** The execution that acts at this moment on what an approved one has to act on: only one at a time may. */
export interface WaitsFor {
  readonly executionId: string
  readonly title: string
  /** `target`: they act on the same guest or host. `cluster`: guests are made one at a time on a cluster. */
  readonly because: 'target' | 'cluster'
}

export interface ExecutionView extends ActionPlaceView {
  readonly id: string
  readonly sessionId: string | null
  readonly planId: string | null
  readonly planStep: number | null
  readonly origin: Origin
  readonly action: string
  /** As asked for: `lxc:typetype@strong`. */
  readonly target: string
  /** A sentence: "Create container typetype (105) on strong". */
  readonly title: string
  readonly params: Readonly<Record<string, unknown>>
  readonly risk: RiskClass
  readonly commands: readonly CommandLine[]
  readonly why: string
  readonly undo: string
  readonly hash: string
  readonly state: ExecutionState
  /** Name of the step that runs or ran last. */
  readonly step: string | null
  /** Progress of the current step in per cent where the output tells it. */
  readonly percent: number | null
  readonly requestedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly exitCode: number | null
  readonly error: AppError | null
  readonly verification: Verification | null
  /** Bytes of output held on disk. */
  readonly outputBytes: number
  readonly approvalId: string | null
  /** Set while it is approved and not let in yet. */
  readonly waitsFor: WaitsFor | null
  /** The execution that found its VMID taken and in whose place this one was requested by itself. */
  readonly retryOf: string | null
}

/** A slice of an execution's raw output, decoded as UTF-8 for the screen. */
export interface OutputSlice {
  readonly offset: number
  readonly nextOffset: number
  readonly totalBytes: number
  readonly text: string
}

export const actionRequestSchema = z.strictObject({
  action: z.string().min(1).max(64),
  target: z.string().min(1).max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  why: z.string().max(2000).default('')
})
export type ActionRequest = z.infer<typeof actionRequestSchema>

/** What the screen needs to know of an action to offer it. */
export interface ActionView {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly risk: RiskClass
  readonly targets: readonly ('host' | 'lxc' | 'vm')[]
  /** JSON schema of the params. */
  readonly params: Readonly<Record<string, unknown>>
}
