import type { ExecutionState } from '../../../src-preload/contract'
import { fail, ok } from '../../base/result'
import { backUp } from '../../store/backup'
import { backupsFolder, listBackups } from '../../store/backups'
import { stageRestore } from '../../store/restore'
import { saveDiagnostics } from '../diagnostics'
import type { Group } from '../handler-map'
import type { Services } from '../services'
import type { Shell } from '../shell'

const atWork: readonly ExecutionState[] = ['approved', 'starting', 'running', 'unknown']

/** Copies of everything the app knows, going back to one, and what helps to find a fault. */
export function dataHandlers(services: Services, shell: Shell): Group<'data'> {
  const folder = () => backupsFolder(services.store.folder)
  return {
    'data.backups': async () => ok(listBackups(folder())),
    'data.back_up': async () => {
      const made = await backUp(services.store, folder())
      return made.ok ? ok(listBackups(folder())) : made
    },
    'data.restore': async ({ name }) => {
      if (services.executions.open().some(({ state }) => atWork.includes(state)))
        return fail(
          'executions_running',
          'Something still runs on your hosts, and the backup knows nothing of it. Nothing was changed.',
          'Wait until it has ended, or cancel it, then restore.'
        )
      const staged = stageRestore(services.store, name)
      if (staged.ok) shell.restart()
      return staged
    },
    'data.show_backups': () => shell.showFolder(folder()),
    'data.save_diagnostics': async () => {
      const saved = await saveDiagnostics(services)
      return saved.ok ? await shell.showFolder(saved.value) : saved
    }
  }
}
