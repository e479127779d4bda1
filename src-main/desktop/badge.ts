import { app } from 'electron'
import type { Services } from '../ipc/services'
import type { MainWindow } from './window'

/**
 * How many decisions wait, on the app's icon where the system shows that (macOS, and launchers that follow Unity's),
 * and in the window's title, which every system shows.
 */
export function startBadge({ store, config, executions }: Services, window: MainWindow): void {
  let shown: number | null = null
  const show = () => {
    const waiting = config.get().appearance.badge ? executions.waitingApprovals().length : 0
    if (waiting === shown) return
    shown = waiting
    app.setBadgeCount(waiting)
    window.setTitle(waiting === 0 ? 'Nomos' : `(${waiting}) Nomos`)
  }
  show()
  store.bus.subscribe(({ event }) => {
    if (event.type === 'approval.changed') show()
  })
  config.onChange(show)
}
