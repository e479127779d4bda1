import { parse } from 'unbash'
import { messageOf } from '../../base/result'
import { programs } from '../programs'
import { Input } from '../shell/io'
import { NeedsInput, Recording, type Timed } from '../shell/recording'
import { Exit, newShellState, Shell, type ShellState } from '../shell/shell'
import type { World } from '../world/types'

/** A command played in advance: what happens when, and how it ends. JSON. */
export interface Timeline {
  readonly events: readonly Timed[]
  /** Milliseconds until it ends. */
  readonly length: number
  readonly code: number
  /** The shell that ran it has ended with it. */
  readonly exited: boolean
  readonly ignoresTerm: boolean
  readonly shell: ShellState
}

export interface Setting {
  readonly world: World
  readonly machine: string
  readonly at: number
  readonly pace: number
}

/**
 * Runs `act` in a shell on a copy of the world; the world itself is untouched. A simulated program that breaks ends
 * its command with 70 (EX_SOFTWARE), never the app.
 */
function recorded(
  setting: Setting,
  state: ShellState,
  label: string,
  stdin: string | null,
  act: (shell: Shell) => number
): Timeline {
  const recording = new Recording(structuredClone(setting.world), setting.at, setting.pace)
  const io = {
    input: new Input(stdin),
    out: (t: string) => recording.out(t),
    err: (t: string) => recording.err(t)
  }
  const shell = new Shell(recording, setting.machine, programs, structuredClone(state), io, label)
  let code: number
  let exited = false
  try {
    code = act(shell)
  } catch (thrown) {
    if (thrown instanceof NeedsInput) throw thrown
    if (!(thrown instanceof Exit)) io.err(`${label}: the lab cannot run this: ${messageOf(thrown)}\n`)
    code = thrown instanceof Exit ? thrown.code : 70
    exited = true
  }
  const { events, length, ignoresTerm } = recording
  return { events, length, code, exited, ignoresTerm: ignoresTerm || state.ignoresTerm, shell: shell.state }
}

/** A command line as sshd hands it to the login shell. Throws `NeedsInput` when it reads stdin that has not ended. */
export const evaluateLine = (setting: Setting, line: string, stdin: string | null): Timeline =>
  recorded(setting, newShellState(), 'bash: line 1', stdin, (shell) => shell.run(line))

/** Number of top-level statements of a script; 0 with the error when it cannot be parsed. */
export function statementsOf(script: string): { count: number; error: string | null } {
  const tree = parse(script)
  return { count: tree.commands.length, error: tree.errors?.[0]?.message ?? null }
}

/** The next statement of a job's script, from where its shell stands. */
export const evaluateStatement = (
  setting: Setting,
  script: string,
  index: number,
  state: ShellState
): Timeline =>
  recorded(setting, state, 'sh: 1', '', (shell) => {
    const statement = parse(script).commands[index]
    return statement ? shell.script([statement], shell.io) : state.status
  })

/** The words of a command line when it is one plain command without expansions; null otherwise. */
export function plainWords(line: string): string[] | null {
  const tree = parse(line)
  const [statement] = tree.commands
  if (tree.errors || tree.commands.length !== 1 || statement?.command.type !== 'Command') return null
  const { name, args, prefix } = statement.command
  if (!name || prefix.length > 0) return null
  const words = [name, ...args].map((word) => (word.type === 'Word' ? word.value : null))
  return words.every((word): word is string => word !== null) ? words : null
}
