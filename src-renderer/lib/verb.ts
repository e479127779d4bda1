import type { ExecutionView } from '@contract'
import { t } from './text'

/** What the button that approves says: what will happen, in two or three words. */
export function verbOf({ action, params }: Pick<ExecutionView, 'action' | 'params'>): string {
  const unitVerb = action === 'systemctl' ? t.approval.unitVerb[String(params['verb'])] : undefined
  return unitVerb ?? t.approval.verb[action] ?? t.approval.verbElse
}
