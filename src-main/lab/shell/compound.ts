import type { Case, CompoundList, For, If, While } from 'unbash'
import { expandFields, expandOne } from './expand'
import type { Io } from './io'
import { loopLimit, type Shell } from './shell'

const body = (shell: Shell, list: CompoundList, io: Io) => shell.script(list.commands, io)

/** A condition may fail without ending a script under `set -e`. */
function condition(shell: Shell, list: CompoundList, io: Io): boolean {
  const before = shell.state.errexit
  shell.state.errexit = false
  const status = body(shell, list, io)
  shell.state.errexit = before
  return status === 0
}

export function ifOf(shell: Shell, node: If, io: Io): number {
  if (condition(shell, node.clause, io)) return body(shell, node.then, io)
  for (const other of node.elif) if (condition(shell, other.clause, io)) return body(shell, other.then, io)
  return node.else ? body(shell, node.else, io) : 0
}

export function forOf(shell: Shell, node: For, io: Io): number {
  const words = node.wordlist?.flatMap((word) => expandFields(shell, word)) ?? shell.state.positional
  let status = 0
  for (const word of words.slice(0, loopLimit)) {
    shell.state.vars[node.name.value] = word
    status = body(shell, node.body, io)
  }
  return status
}

export function whileOf(shell: Shell, node: While, io: Io): number {
  let status = 0
  for (let round = 0; round < loopLimit; round++) {
    if (condition(shell, node.clause, io) === (node.kind === 'until')) return status
    status = body(shell, node.body, io)
  }
  return status
}

export function caseOf(shell: Shell, node: Case, io: Io): number {
  const value = expandOne(shell, node.word)
  for (const item of node.items) {
    if (item.pattern.some((pattern) => matches(value, expandOne(shell, pattern))))
      return body(shell, item.body, io)
  }
  return 0
}

const matches = (value: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
    's'
  ).test(value)
