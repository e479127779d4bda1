import type { Change, Machine, World } from '../world/types'
import type { Io } from './io'
import type { Recording } from './recording'
import type { Shell } from './shell'

/** What a simulated program is given: its arguments, its machine, and ways to print, wait and change things. */
export interface Call extends Io {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly world: World
  readonly machine: Machine
  readonly shell: Shell
  readonly recording: Recording
  now(): number
  wait(ms: number): void
  change(change: Change): void
}

/** Runs to its end at once and answers its exit code. */
export type Run = (call: Call) => number

interface Program {
  readonly run: Run
  /** `node`: only there; otherwise everywhere where `package` is installed. */
  readonly on?: 'node'
  readonly package?: string
}

export type Programs = Readonly<Record<string, Program>>

/** Name of the node a machine is; null inside a container. */
export const nodeOf = (machine: Machine): string | null =>
  machine.id.startsWith('host:') ? machine.id.slice('host:'.length) : null

/** Prints a line on stderr and answers the exit code. */
export function die(call: Call, text: string, code = 255): number {
  call.err(`${text}\n`)
  return code
}
