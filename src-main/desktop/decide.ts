import type { ApprovalRoute } from '../../src-preload/contract'
import type { Result } from '../base/result'
import type { Services } from '../ipc/services'
import type { DecisionCard } from './decision-card'

/** Decides what the card showed: with the hash it was shown with, so that anything else is refused. */
export function decideCard(
  { executions, log }: Pick<Services, 'executions' | 'log'>,
  card: DecisionCard,
  decision: 'approve' | 'deny',
  route: ApprovalRoute
): Result<unknown> {
  const decided = executions.decide({ id: card.approvalId, hash: card.hash, decision, route })
  if (!decided.ok) log.log('info', 'desktop', 'a decision was refused', { route, code: decided.error.code })
  return decided
}
