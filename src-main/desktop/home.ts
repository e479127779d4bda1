import { resolve } from 'node:path'
import { app } from 'electron'

/** The folder for everything the app writes: `NOMOS_HOME`, else Electron's own. Before anything else asks for it. */
export function useHome(): string {
  const wanted = process.env['NOMOS_HOME']
  if (wanted) app.setPath('userData', resolve(wanted))
  return app.getPath('userData')
}
