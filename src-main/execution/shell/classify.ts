import {
  forEachChild,
  parse,
  type Command,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
  type Word
} from 'unbash'
import type { RiskClass, Saying } from '../../../src-preload/contract'
import { isCriticalPath } from './critical'
import { dangerOf } from './danger'
import { isReadOnly } from './read-only'
import { reasonSaid, sayReason, type Reason, type ReasonId } from './reasons'
import { programOf, unwrap } from './wrappers'

/** What a free command may do, and why it counts so. */
export interface Classification {
  readonly risk: Extract<RiskClass, 'read_only' | 'config_mutation' | 'destructive'>
  /** In words, for the card and for tests. */
  readonly reasons: readonly string[]
  /** The same without their words. */
  readonly said: readonly Saying[]
  /** Why it is never run at all; null for what may be asked for. */
  readonly refused: string | null
  readonly refusedSaid: Saying | null
}

/** The rule in short, for whoever writes commands. */
export const whatReads =
  'Programs that only read (cat, ls, grep, find, ss, journalctl …), with plain words, also in pipes or with && and ;, ' +
  'run at once and answer here. Everything else asks: other programs, globs, grep -r, variables, $(…), loops, writing to a file.'

/** Longest command that is looked at closely; beyond it nothing counts as reading. */
const longest = 10_000

/** How deep wrappers and scripts in arguments are followed. */
const deepest = 8

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

const forkBomb = /([\w:.]+)\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/

class Finding {
  private risk: Classification['risk'] = 'read_only'
  private readonly reasons = new Map<string, Reason>()
  private refusedBecause: Reason | null = null
  /** Something comes from the network; a text that is not known is run as a program. Both together: anything may run. */
  fetches = false
  runsUnknown = false

  mutation(id: ReasonId, about = ''): void {
    if (this.risk === 'read_only') this.risk = 'config_mutation'
    this.note({ id, about })
  }

  destructive(id: ReasonId, about = ''): void {
    this.risk = 'destructive'
    this.note({ id, about })
  }

  refuse(id: ReasonId, about = ''): void {
    this.destructive(id, about)
    this.refusedBecause ??= { id, about }
  }

  /** Each sentence once. */
  private note(reason: Reason): void {
    this.reasons.set(sayReason(reason), reason)
  }

  result(): Classification {
    if (this.fetches && this.runsUnknown) this.destructive('runs_fetched')
    const refused = this.refusedBecause
    return {
      risk: this.risk,
      reasons: [...this.reasons.keys()],
      said: [...this.reasons.values()].map(reasonSaid),
      refused: refused && sayReason(refused),
      refusedSaid: refused && reasonSaid(refused)
    }
  }
}

/**
 * Classifies a command line of a POSIX shell. Only what is wholly understood, made of plain words, and on the list of
 * what reads is `read_only`. What cannot be understood changes something; what destroys is found wherever it stands.
 */
export function classifyCommand(text: string): Classification {
  const finding = new Finding()
  lookAtText(finding, text, 0)
  return finding.result()
}

/** Classifies a program and its arguments, run without a shell. */
export function classifyArgv(argv: readonly string[]): Classification {
  const finding = new Finding()
  if (argv.some((word) => control.test(word))) finding.refuse('control_characters')
  lookAtArgv(
    finding,
    argv.map((value) => ({ value, plain: true })),
    0
  )
  return finding.result()
}

/** A word of a command: what the shell makes of it, as far as that is known. */
export interface Argument {
  readonly value: string
  /** The shell takes it literally: no expansion, no pattern. */
  readonly plain: boolean
}

function lookAtText(finding: Finding, text: string, depth: number): void {
  if (control.test(text)) finding.refuse('control_characters')
  if (forkBomb.test(text)) finding.refuse('fork_bomb')
  if (text.length > longest) finding.mutation('too_long')
  if (depth > deepest) return finding.mutation('too_deep')
  lookAtScript(finding, parse(text), depth)
}

function lookAtScript(finding: Finding, script: ParsedScript, depth: number): void {
  if (script.errors && script.errors.length > 0) finding.mutation('not_understood')
  if (depth > deepest) return finding.mutation('too_deep')
  visit(finding, script, depth)
}

/** What a command line for reading is made of; everything else counts as a change. */
const plainNodes = new Set([
  'Script',
  'Statement',
  'AndOr',
  'Pipeline',
  'Negation',
  'Command',
  'Word',
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'Redirect',
  'FileDescriptor'
])

function visit(finding: Finding, node: SyntaxNode, depth: number): void {
  if (!plainNodes.has(node.type)) finding.mutation('syntax', node.type)
  if (node.type === 'Statement' && node.background) finding.mutation('background')
  if (node.type === 'Command') lookAtCommand(finding, node, depth)
  if (node.type === 'Pipeline')
    lookAtPipeline(
      finding,
      node.commands.map((part) => (part.type === 'Command' ? nameOf(part) : ''))
    )
  if (node.type === 'Redirect' || node.type === 'HereDoc' || node.type === 'HereString')
    lookAtRedirection(finding, node)
  if (depth > 40) return finding.mutation('too_deep')
  // Substitutions hold scripts of their own; what is in them runs too.
  forEachChild(node, (child) =>
    child.type === 'Script' ? lookAtScript(finding, child, depth + 1) : visit(finding, child, depth)
  )
}

function lookAtCommand(finding: Finding, command: Command, depth: number): void {
  if (command.prefix.some((part) => part.type === 'Assignment')) finding.mutation('sets_variables')
  if (!command.name) return
  const words = command.args.map((word): Argument =>
    word.type === 'Word' ? argumentOf(word) : { value: word.text, plain: true }
  )
  lookAtArgv(finding, [argumentOf(command.name), ...words], depth)
}

/** Follows what a command hands on to run, and judges what does the work in the end. */
function lookAtArgv(finding: Finding, argv: readonly Argument[], depth: number): void {
  const [name] = argv
  if (!name) return
  if (depth > deepest) return finding.mutation('too_deep')
  if (!argv.every((word) => word.plain)) finding.mutation('expands')
  const program = programOf(name.value)
  if (fetchers.test(program)) finding.fetches = true
  if (interpreters.test(program) && argv.some((word) => !word.plain)) finding.runsUnknown = true
  const danger = dangerOf(argv.map((word) => word.value))
  if (danger?.refused) finding.refuse(danger.reason.id, danger.reason.about)
  else if (danger) finding.destructive(danger.reason.id, danger.reason.about)
  const inner = unwrap(argv)
  if (!inner) {
    if (!isReadOnly(argv.map((word) => word.value))) finding.mutation('unlisted', name.value.slice(0, 60))
    return
  }
  if (inner.changes) finding.mutation(inner.changes)
  if (
    inner.readsWords &&
    inner.runs.some((run) => typeof run !== 'string' && removers.test(programOf(run[0]?.value ?? '')))
  )
    finding.destructive('removes_named')
  for (const run of inner.runs)
    if (typeof run === 'string') lookAtText(finding, run, depth + 1)
    else lookAtArgv(finding, run, depth + 1)
}

const removers = /^(rm|unlink|rmdir|shred)$/
const interpreters = /^(sh|bash|dash|zsh|ksh|ash|fish|eval|source|\.|python[\d.]*|perl|ruby|node|php|lua)$/
const fetchers = /^(curl|wget|fetch|nc|ncat|socat|ssh|scp|aria2c)$/

function lookAtPipeline(finding: Finding, names: readonly string[]): void {
  const from = names.findIndex((name) => fetchers.test(name))
  if (
    from >= 0 &&
    names
      .slice(from + 1)
      .some((name) => interpreters.test(name) || name === 'sudo' || name === 'env' || name === 'xargs')
  )
    finding.destructive('runs_fetched')
}

function lookAtRedirection(finding: Finding, redirection: Redirection): void {
  if (redirection.type !== 'Redirect') return finding.mutation('feeds_text')
  const { operator, target } = redirection
  // POSIX shells read `a &> b c` as `a &` and `> b c`: c would run.
  if (operator.startsWith('&>')) finding.mutation('ambiguous')
  if (redirection.descriptor?.type === 'FileDescriptorVariable') finding.mutation('opens_file')
  const word = target ? argumentOf(target) : { value: '', plain: false }
  const isDescriptor = (operator === '>&' || operator === '<&') && /^(\d|-)$/.test(word.value) && word.plain
  if (isDescriptor || (word.plain && word.value === '/dev/null')) return
  if (operator !== '<' && isCriticalPath(word.value))
    finding.destructive('writes_to', word.value.slice(0, 100))
  else finding.mutation(operator === '<' ? 'reads_file' : 'writes_file')
}

const nameOf = (command: Command): string => programOf(command.name?.value ?? '')

/** A word as the shell would hand it on, and whether that is certain. */
function argumentOf(word: Word): Argument {
  const literal = (word.parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal'))
  )
  // An unquoted tilde is a home folder; bare brackets and braces may still be patterns.
  const bare = word.text === word.value
  const plain = literal && !(bare && /^~|[*?[\]{}]/.test(word.value))
  return { value: word.value, plain }
}
