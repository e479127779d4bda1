import type { AppError } from '../../src-preload/contract'
import type { Tx } from '../store/store'
import type { ApprovalSubjects } from './approval-subject'
import type { Approvals } from './approvals'
import { userOf, type Context } from './context'
import { currentHash } from './recheck'
import { move } from './transitions'
import type { Windows } from './windows'

/** Ends what was asked for, approved or allowed on a host that is not what it was then. */
export class Voiding {
  constructor(
    private readonly context: Context,
    private readonly approvals: Approvals,
    private readonly subjects: ApprovalSubjects,
    private readonly windows: Windows
  ) {}

  /** A host whose key is not trusted any more: nothing that waits for it or was allowed there holds. */
  host(tx: Tx, host: string, why: string): void {
    const { executions, allowances } = this.context
    for (const row of this.context.approvals.waiting())
      if (this.subjects.hosts(row).includes(host)) this.approvals.lapse(tx, row, why)
    for (const row of executions.inStates(['approved']))
      if (row.host === host) move(this.context, tx, row.id, 'failed', { error: notStarted(why) })
    this.windows.closeOnHost(tx, host, why)
    allowances.endWhere(tx, why, ({ execution_id: id }) => executions.row(id)?.host === host)
  }

  /**
   * After a change of the configuration: whatever has another hash by now would not be what was meant. A host that is
   * not configured at this moment may come back as it was; nothing runs there meanwhile.
   */
  changed(tx: Tx): void {
    const { executions, allowances } = this.context
    const why = 'The host, its key or its user has changed.'
    for (const row of this.context.approvals.waiting()) {
      const hash = this.subjects.hashNow(row)
      const isOther = hash.ok && hash.value !== row.hash
      if (isOther && this.subjects.hosts(row).every(this.isConfigured)) this.approvals.lapse(tx, row, why)
    }
    allowances.endWhere(tx, why, ({ execution_id: id, hash }) => {
      const row = executions.row(id)
      if (!row || !this.isConfigured(row.host)) return false
      const now = currentHash(this.context, row)
      return !now.ok || now.value !== hash
    })
    this.windows.closeChanged(tx, why, this.isConfigured)
  }

  private readonly isConfigured = (host: string): boolean => userOf(this.context, host) !== null
}

const notStarted = (why: string): AppError => ({
  code: 'approval_changed',
  message: `${why} Nothing was run.`,
  hint: 'Request it again.'
})
