import { app } from 'electron'

/** What the desktop session's entry starts the app with. */
export const hiddenFlag = '--hidden'

/** True when the desktop session started the app, and it is to stay in the tray until it is wanted. */
export function startsHidden(wanted: boolean): boolean {
  if (process.platform === 'darwin') return wanted && app.getLoginItemSettings().wasOpenedAtLogin
  return process.argv.includes(hiddenFlag)
}
