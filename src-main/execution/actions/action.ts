import type { z } from 'zod'
import type { CommandLine, RiskClass, Verification } from '../../../src-preload/contract'
import type { AppError, Result } from '../../base/result'
import type { Classification } from '../shell/classify'
import type { Fleet, ResolvedTarget, TargetName } from '../../fleet/port'
import type { Ssh } from '../../ssh/port'

/** Where an action looks at the world: reads only, never changes anything. */
export interface ActionWorld {
  readonly fleet: Fleet
  readonly ssh: Ssh
  /** Guests as earlier steps of the same plan will have left them; found before the real ones. */
  readonly planned: readonly PlannedGuest[]
  /** VMIDs that other open requests and plans are about to create: not picked for a new guest. */
  reserved(cluster: string): ReadonlySet<number>
  /** How often a verification looks before it says that something is not so. */
  readonly looks: number
}

export type GuestStatus = 'running' | 'stopped' | 'unknown'

export interface PlannedGuest {
  readonly kind: 'lxc' | 'vm'
  readonly name: string
  readonly vmid: number
  readonly node: string
  readonly host: string
  readonly cluster: string
  readonly status: GuestStatus | 'gone'
  /** The guest as it is now; null for one that does not exist yet. */
  readonly resolved: ResolvedTarget | null
}

/** Where the action will act; `resolved` is null for a guest that does not exist yet. */
export interface ActionPlace {
  readonly target: TargetName
  readonly host: string
  readonly node: string
  readonly cluster: string
  readonly vmid: number | null
  readonly guestName: string | null
  readonly resolved: ResolvedTarget | null
  /** The guest's status as earlier steps of the plan will have left it; null: ask the host. */
  readonly plannedStatus: GuestStatus | null
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
  /** Null when the job ended without one: lost, or interrupted by a reboot. */
  readonly exitCode: number | null
  /** Head and tail of the output, at most 64 KiB, escape sequences removed. */
  readonly output: string
  readonly step: string | null
}

/** A command line before it is quoted. */
export type Command = Omit<CommandLine, 'text'>

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
  /** Actions with the same key wait for each other: the target, or the target and every `cluster` action. */
  readonly serialise: 'target' | 'cluster'
  /**
   * Resolves the target, reads the facts, fills in defaults and refuses what cannot work,
   * saying what to do first. Changes nothing.
   */
  preflight(world: ActionWorld, target: TargetName, params: P): Promise<Result<PreparedAction<P, F>>>
  risk(prepared: PreparedAction<P, F>): RiskClass
  /** Why the class is what it is, in words, where the params decide it. */
  riskReasons?(prepared: PreparedAction<P, F>): Pick<Classification, 'reasons' | 'said'>
  /** "Create container typetype (105) on strong". */
  sentence(prepared: PreparedAction<P, F>): string
  /** The exact command lines, in order; the first that fails ends the job. */
  commands(prepared: PreparedAction<P, F>): readonly Command[]
  /** How to undo it, in words. */
  undo(prepared: PreparedAction<P, F>): string
  /** The guest that it makes, for the later steps of a plan and for the scope of a window. */
  creates?(prepared: PreparedAction<P, F>): PlannedGuest
  /** Whether it reads or changes files of the host itself: a window has to cover the host then, not only the guest. */
  reachesHost?(prepared: PreparedAction<P, F>): boolean
  /** How it leaves the guest it acts on, for the later steps of a plan. */
  leaves?(prepared: PreparedAction<P, F>): GuestStatus | 'gone'
  /** Per cent, if a line of output tells it. */
  progress?(line: string): number | null
  /** True when this failure means that the wished state already holds. */
  alreadyDone?(prepared: PreparedAction<P, F>, end: JobEnd): boolean
  /**
   * Reads back from the host whether it is true now; exit 0 is no proof.
   * Absent for free commands, whose exit code is all there is.
   */
  verify?(world: ActionWorld, prepared: PreparedAction<P, F>, end: JobEnd): Promise<Result<Verification>>
  /** What the failure means and what to do; the general classification is the fallback. */
  classify?(prepared: PreparedAction<P, F>, end: JobEnd): AppError | null
}
