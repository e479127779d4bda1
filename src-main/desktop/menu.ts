import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { Place } from '../../src-preload/contract'

export interface MenuOptions {
  readonly lead: (to: Place) => void
  readonly newSession: () => void
  readonly showLogs: () => void
}

/** The app's native menu, with its shortcuts. */
export function setMenu({ lead, newSession, showLogs }: MenuOptions): void {
  const pages: readonly [string, Place][] = [
    ['Chat', { page: 'chat' }],
    ['Ops', { page: 'ops' }],
    ['Fleet', { page: 'fleet' }],
    ['Knowledge', { page: 'knowledge' }],
    ['Settings', { page: 'settings' }]
  ]
  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: 'File',
      submenu: [
        { label: 'New Session', accelerator: 'CmdOrCtrl+N', click: newSession },
        { type: 'separator' },
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' as const }])
      ]
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        ...pages.map(([label, to], index) => ({
          label,
          accelerator: `CmdOrCtrl+${index + 1}`,
          click: () => lead(to)
        })),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'reload' as const }, { role: 'toggleDevTools' as const }])
      ]
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ label: 'Show Logs', click: showLogs }, { role: 'about' }] }
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
