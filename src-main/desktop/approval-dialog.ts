import { dialog, type MessageBoxOptions } from 'electron'
import type { ApprovalView, Place } from '../../src-preload/contract'
import type { Services } from '../ipc/services'
import { decideCard } from './decide'
import { decisionCard, type DecisionCard } from './decision-card'
import type { Speech } from './speech'

export interface ApprovalDialogOptions {
  readonly services: Services
  readonly isInFront: () => boolean
  readonly lead: (to: Place) => void
  readonly texts: () => Speech
}

/** Asks for decisions in a dialog of the system, one after the other, while the window is not in front. */
export function startApprovalDialogs({ services, isInFront, lead, texts }: ApprovalDialogOptions): void {
  const asked = new Set<string>()
  const open = new Map<string, AbortController>()
  let queue = Promise.resolve()

  const isWanted = () => services.config.get().appearance.nativeApprovalDialog && !isInFront()

  const ask = async (approval: ApprovalView) => {
    const card = stillWaits(services, approval.id, texts())
    if (card === null || !isWanted()) return
    const closing = new AbortController()
    open.set(approval.id, closing)
    try {
      const answer = await answerTo(card, texts(), closing.signal)
      if (closing.signal.aborted) return
      if (answer === 'show' || !decideCard(services, card, answer, 'dialog').ok) lead(card.place)
    } finally {
      open.delete(approval.id)
    }
  }

  services.store.bus.subscribe(({ event }) => {
    if (event.type !== 'approval.changed') return
    const { approval } = event
    if (approval.state !== 'awaiting_approval') {
      asked.delete(approval.id)
      open.get(approval.id)?.abort()
    } else if (isWanted() && !asked.has(approval.id)) {
      asked.add(approval.id)
      queue = queue
        .then(() => ask(approval))
        .catch((error: unknown) =>
          services.log.log('error', 'desktop', 'a dialog failed', { error: String(error) })
        )
    }
  })
}

function stillWaits({ executions }: Services, id: string, texts: Speech): DecisionCard | null {
  const approval = executions.approval(id)
  return approval.ok && approval.value.state === 'awaiting_approval'
    ? decisionCard(approval.value, executions, texts)
    : null
}

/** The button that Enter presses never approves. */
async function answerTo(
  card: DecisionCard,
  texts: Speech,
  signal: AbortSignal
): Promise<'approve' | 'deny' | 'show'> {
  const answers = card.approvable ? (['show', 'deny', 'approve'] as const) : (['show', 'deny'] as const)
  const question: MessageBoxOptions = {
    type: card.destructive ? 'warning' : 'question',
    title: texts.approval.title,
    message: card.title,
    detail: detailOf(card, texts),
    buttons: answers.map((answer) => texts.decide[answer]),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    signal
  }
  const { response } = await dialog.showMessageBox(question)
  return answers[response] ?? 'show'
}

function detailOf(
  { where, commands, undo, approvable, destructive }: DecisionCard,
  { approval: words }: Speech
): string {
  const shown = approvable ? commands : commands.slice(0, 12)
  const rest = commands.length - shown.length
  return [
    where,
    '',
    ...shown,
    ...(rest > 0 ? [words.more(rest)] : []),
    ...(undo === '' ? [] : ['', words.undo(undo)]),
    ...(destructive ? ['', words.destructive] : [])
  ].join('\n')
}
