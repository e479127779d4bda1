import { fail, ok, type Result } from '../../base/result'
import { nearNames } from '../../fleet/near'
import type { Action } from './action'
import { aptUpgrade } from './apt-upgrade'
import { pctDelsnapshot, vmDelsnapshot } from './delsnapshot'
import { pctClone } from './pct-clone'
import { pctCreate } from './pct-create'
import { pctDestroy } from './pct-destroy'
import { pctExec } from './pct-exec'
import { pctPull } from './pct-pull'
import { pctPush } from './pct-push'
import { pctReboot } from './pct-reboot'
import { pctResize } from './pct-resize'
import { pctSet } from './pct-set'
import { pctShutdown } from './pct-shutdown'
import { pctSnapshot } from './pct-snapshot'
import { pctStart } from './pct-start'
import { pctStop } from './pct-stop'
import { restart } from './restart'
import { pctRollback, vmRollback } from './rollback'
import { run } from './run'
import { systemctl } from './systemctl'
import { templateDownload } from './template-download'
import { vmReboot } from './vm-reboot'
import { vmShutdown } from './vm-shutdown'
import { vmSnapshot } from './vm-snapshot'
import { vmStart } from './vm-start'
import { vmStop } from './vm-stop'

/** Every action there is. Adding one is adding its file and its line here. */
export const actions: readonly Action[] = [
  pctCreate,
  pctStart,
  pctShutdown,
  pctReboot,
  pctStop,
  pctDestroy,
  pctSet,
  pctResize,
  pctClone,
  pctSnapshot,
  pctRollback,
  pctDelsnapshot,
  pctExec,
  pctPush,
  pctPull,
  systemctl,
  restart,
  aptUpgrade,
  templateDownload,
  vmStart,
  vmShutdown,
  vmReboot,
  vmStop,
  vmSnapshot,
  vmRollback,
  vmDelsnapshot,
  run
]

const byName = new Map(actions.map((action) => [action.name, action]))

/** Error: `action_unknown`, with near names. */
export function findAction(name: string): Result<Action> {
  const action = byName.get(name)
  if (action) return ok(action)
  const near = nearNames(name, byName.keys())
  return fail(
    'action_unknown',
    `There is no action "${name.slice(0, 64)}".`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Actions: ${[...byName.keys()].join(', ')}.`,
    { action: name.slice(0, 64), near }
  )
}
