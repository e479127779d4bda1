import type { ApprovalView, Place } from '../../src-preload/contract'
import type { Executions } from '../execution/port'
import type { Speech } from './speech'
import { visible } from './visible'

/** A waiting decision as it is shown outside the window: whole, or without the button that approves. */
export interface DecisionCard {
  readonly approvalId: string
  readonly hash: string
  readonly title: string
  /** Where it runs, and how much it risks. */
  readonly where: string
  /** The exact commands, invisible characters written out. */
  readonly commands: readonly string[]
  readonly undo: string
  readonly destructive: boolean
  /** True when it may be approved from here: not destructive, and short enough to be shown whole. */
  readonly approvable: boolean
  readonly expiresAt: number
  readonly place: Place
}

/** Beyond this, notifications and menus cut text off, and nobody approves what was not shown. Characters. */
const showable = { all: 3000, line: 240, lines: 24 }

/** The card of an approval; null when what it is about is gone. */
export function decisionCard(
  approval: ApprovalView,
  executions: Executions,
  texts: Speech
): DecisionCard | null {
  const subjectOf = approval.subject.kind === 'plan' ? planOf : executionOf
  const subject = subjectOf(approval, executions, texts)
  if (subject === null) return null
  const commands = subject.commands.map(visible)
  const destructive = approval.risk === 'destructive'
  return {
    approvalId: approval.id,
    hash: approval.hash,
    title: visible(subject.title),
    where: `${visible(subject.where)} · ${texts.risk[approval.risk]}`,
    commands,
    undo: visible(subject.undo),
    destructive,
    approvable: !destructive && isShowable(commands),
    expiresAt: approval.expiresAt,
    place:
      approval.sessionId === null
        ? { page: 'ops', ...(approval.subject.kind === 'execution' && { executionId: approval.subject.id }) }
        : { page: 'chat', sessionId: approval.sessionId }
  }
}

const isShowable = (commands: readonly string[]) =>
  commands.length <= showable.lines &&
  commands.every((command) => command.length <= showable.line) &&
  commands.join('\n').length <= showable.all

interface Subject {
  readonly title: string
  readonly where: string
  readonly commands: readonly string[]
  readonly undo: string
}

function executionOf(
  { subject, confirmName }: ApprovalView,
  executions: Executions,
  { card, words }: Speech
): Subject | null {
  const found = executions.get(subject.id)
  if (!found.ok) return null
  const { title, target, host, guestName, vmid, commands, undo } = words.execution(found.value)
  const guest = vmid === null ? '' : ` · ${guestName ?? confirmName ?? card.guest} (${vmid})`
  const where = `${card.where(target, host)}${guest}`
  return { title, where, commands: commands.map(({ text }) => text), undo }
}

function planOf({ subject }: ApprovalView, executions: Executions, { card }: Speech): Subject | null {
  const found = executions.plan(subject.id)
  if (!found.ok) return null
  const { title, steps } = found.value
  const targets = [...new Set(steps.map((step) => step.target))]
  return {
    title: card.plan(title, steps.length),
    where: targets.join(', '),
    commands: steps.flatMap((step) => step.commands.map(({ text }) => `${step.host}: ${text}`)),
    undo: ''
  }
}
