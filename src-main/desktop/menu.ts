import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import {
  shortcutFault,
  shortcutNames,
  type Place,
  type ShortcutName,
  type Shortcuts
} from '../../src-preload/contract'
import type { Texts } from './text'

export interface MenuOptions {
  readonly texts: Texts
  /** The keys that are chosen; the menu shows the same. */
  readonly shortcuts: Shortcuts
  readonly lead: (to: Place) => void
  readonly newSession: () => void
  readonly showLogs: () => void
}

const pages = ['chat', 'ops', 'fleet', 'knowledge', 'settings'] as const
const isMac = process.platform === 'darwin'
const separator = { type: 'separator' } as const

/** The app's native menu, in the chosen language and with the chosen keys. */
export function setMenu(options: MenuOptions): void {
  const { texts, lead, showLogs } = options
  const { menu } = texts
  const accelerator = acceleratorsOf(options.shortcuts)
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [macMenu(texts, lead, accelerator('preferences'))] : []),
    {
      label: menu.file,
      submenu: [
        { label: menu.newSession, ...accelerator('newSession'), click: options.newSession },
        separator,
        { role: 'close', label: menu.close },
        ...(isMac ? [] : [{ role: 'quit' as const, label: menu.quit }])
      ]
    },
    editMenu(texts),
    {
      label: menu.view,
      submenu: [
        ...pages.map((page) => ({
          label: texts.pages[page],
          ...accelerator(page),
          click: () => lead({ page })
        })),
        separator,
        { role: 'resetZoom', label: menu.actualSize },
        { role: 'zoomIn', label: menu.zoomIn },
        { role: 'zoomOut', label: menu.zoomOut },
        { role: 'togglefullscreen', label: menu.fullScreen },
        ...(app.isPackaged ? [] : forDevelopers(texts))
      ]
    },
    {
      role: 'window',
      label: menu.window,
      submenu: [
        { role: 'minimize', label: menu.minimize },
        ...(isMac ? [{ role: 'front' as const, label: menu.showAll }] : [])
      ]
    },
    {
      role: 'help',
      label: menu.help,
      submenu: [
        { label: menu.showLogs, click: showLogs },
        { role: 'about', label: menu.about }
      ]
    }
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** Gives the keys of a shortcut as Electron writes them; of two with the same keys, the first has them. */
function acceleratorsOf(shortcuts: Shortcuts) {
  const owner = (keys: string) => shortcutNames.find((name) => shortcuts[name] === keys)
  return (name: ShortcutName): { accelerator?: string } => {
    const keys = shortcuts[name]
    if (keys === '' || owner(keys) !== name || shortcutFault(keys, process.platform) !== null) return {}
    return { accelerator: keys.replace('Mod', 'CmdOrCtrl') }
  }
}

function macMenu(
  { menu }: Texts,
  lead: MenuOptions['lead'],
  keys: { accelerator?: string }
): MenuItemConstructorOptions {
  return {
    label: 'Nomos',
    submenu: [
      { role: 'about', label: menu.about },
      separator,
      { label: menu.preferences, ...keys, click: () => lead({ page: 'settings' }) },
      separator,
      { role: 'services', label: menu.services },
      separator,
      { role: 'hide', label: menu.hide },
      { role: 'hideOthers', label: menu.hideOthers },
      { role: 'unhide', label: menu.showAll },
      separator,
      { role: 'quit', label: menu.quit }
    ]
  }
}

const editMenu = ({ menu }: Texts): MenuItemConstructorOptions => ({
  label: menu.edit,
  submenu: [
    { role: 'undo', label: menu.undo },
    { role: 'redo', label: menu.redo },
    separator,
    { role: 'cut', label: menu.cut },
    { role: 'copy', label: menu.copy },
    { role: 'paste', label: menu.paste },
    { role: 'selectAll', label: menu.selectAll }
  ]
})

const forDevelopers = ({ menu }: Texts): MenuItemConstructorOptions[] => [
  { role: 'reload', label: menu.reload },
  { role: 'toggleDevTools', label: menu.developerTools }
]
