import type { z } from 'zod'
import type { CommandLine, RiskClass, Verification } from '../../../src-preload/contract'
import type { AppError, Result } from '../../base/result'
import type { Fleet, ResolvedTarget, TargetName } from '../../fleet/port'
import type { ExecOutcome, Ssh } from '../../ssh/port'

/** Where an action looks at the world: reads only, never changes anything. */
export interface ActionWorld {
  readonly fleet: Fleet
  readonly ssh: Ssh
  /** Guests that earlier steps of the same plan will have created; found like real ones. */
  readonly planned: readonly PlannedGuest[]
}

export interface PlannedGuest {
  readonly kind: 'lxc' | 'vm'
  readonly name: string
  readonly vmid: number
  readonly node: string
  readonly host: string
  readonly cluster: string
}

/** Where the action will act; `guest` is null for one that it is about to create. */
export interface ActionPlace {
  readonly target: TargetName
  readonly host: string
  readonly node: string
  readonly cluster: string
  readonly vmid: number | null
  readonly guestName: string | null
  readonly resolved: ResolvedTarget | null
}

/** Everything that was decided before asking: what the card shows and the hash covers. */
export interface PreparedAction<P, F> {
  readonly place: ActionPlace
  /** Params with every default filled in: nothing is picked in silence later. */
  readonly params: P
  /** What preflight found and commands depend on. JSON. */
  readonly facts: F
}

/** What an execution has produced when its job ended. */
export interface JobEnd {
  readonly exitCode: number
  /** Head and tail of the output, at most 64 KiB, escape sequences removed. */
  readonly output: string
  readonly step: string | null
}

/**
 * An action of the registry: its whole behaviour in one file.
 * `P` are its params after parsing, `F` the facts its commands depend on.
 */
export interface Action<P = unknown, F = unknown> {
  readonly name: string
  /** "Create a container". */
  readonly title: string
  /** For the model: what it does, when to use it, what each param means. */
  readonly description: string
  readonly targets: readonly ('host' | 'lxc' | 'vm')[]
  readonly params: z.ZodType<P>
  /** The class it has at least; `risk` may be higher for given params. */
  readonly baseRisk: RiskClass
  /** Seconds the job may run. */
  readonly timeLimit: number
  /** Actions with the same key wait for each other: `target` (default) or the whole cluster. */
  readonly serialise: 'target' | 'cluster'
  /**
   * Resolves the target, reads the facts, fills in defaults and refuses what cannot work,
   * saying what to do first. Changes nothing.
   */
  preflight(world: ActionWorld, target: TargetName, params: P): Promise<Result<PreparedAction<P, F>>>
  risk(prepared: PreparedAction<P, F>): RiskClass
  /** "Create container typetype (105) on strong". */
  sentence(prepared: PreparedAction<P, F>): string
  /** The exact command lines, in order; the first that fails ends the job. */
  commands(prepared: PreparedAction<P, F>): readonly Omit<CommandLine, 'text'>[]
  /** How to undo it, in words. */
  undo(prepared: PreparedAction<P, F>): string
  /** Per cent, if a line of output tells it. */
  progress?(line: string): number | null
  /** True when this failure means that the wished state already holds. */
  alreadyDone?(prepared: PreparedAction<P, F>, end: JobEnd): boolean
  /** Reads back from the host whether it is true now; exit 0 is no proof. */
  verify(world: ActionWorld, prepared: PreparedAction<P, F>, end: JobEnd): Promise<Result<Verification>>
  /** What the failure means and what to do; the general classification is the fallback. */
  classify?(prepared: PreparedAction<P, F>, end: JobEnd): AppError | null
}

/** Runs a read on the action's host; a helper for preflight and verify. */
export type Read = (argv: readonly string[]) => Promise<Result<ExecOutcome>>
