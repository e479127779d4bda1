import { canonicalJson } from '../base/canonical'
import type { Clock } from '../base/clock'
import type { Logger } from '../base/log'
import type { ConfigService } from '../config/port'
import type { Fleet } from '../fleet/port'
import type { Ssh } from '../ssh/port'
import { Audit } from '../store/audit'
import type { Store } from '../store/store'
import { Allowances } from './allowances'
import { ApprovalTable } from './approval-table'
import { PlanTable } from './plan-table'
import { ExecutionTable } from './table'

export interface ExecutionDependencies {
  readonly store: Store
  readonly ssh: Ssh
  readonly fleet: Fleet
  readonly config: ConfigService
  /** Folder for everything the app writes; output goes to `outputs/` in it. */
  readonly home: string
  readonly clock: Clock
  readonly log: Logger
}

/** What every part of this layer shares. */
export interface Context extends ExecutionDependencies {
  readonly audit: Audit
  readonly executions: ExecutionTable
  readonly approvals: ApprovalTable
  readonly plans: PlanTable
  readonly allowances: Allowances
}

export function createContext(deps: ExecutionDependencies): Context {
  const { store, clock } = deps
  const audit = new Audit(store.db, clock)
  return {
    ...deps,
    audit,
    executions: new ExecutionTable(store.db),
    approvals: new ApprovalTable(store.db),
    plans: new PlanTable(store.db),
    allowances: new Allowances(store, audit, clock)
  }
}

/** As whom commands run on a host: who logs in, and whether that is root by sudo. Null: it is not configured. */
export function userOf({ config }: Pick<Context, 'config'>, host: string): string | null {
  const found = config.get().hosts.find(({ name }) => name === host)
  return found ? `${found.user}${found.sudo ? ' (sudo)' : ''}` : null
}

/** Which machine a configured name stands for at this moment, and as whom commands run there. Null: it is none. */
export function identityOf(context: Pick<Context, 'config' | 'ssh'>, host: string): string | null {
  const user = userOf(context, host)
  return user && canonicalJson({ key: context.ssh.trustedKey(host), user })
}
