/**
 * What the keyboard can do, with the keys it takes unless the operator chooses others. `Mod` is Ctrl, or Command on
 * macOS. The native menu shows the same keys.
 */
export const defaultShortcuts = {
  palette: 'Mod+K',
  newSession: 'Mod+N',
  stop: 'Mod+.',
  sessions: 'Mod+B',
  inspector: 'Mod+I',
  preferences: 'Mod+,',
  chat: 'Mod+1',
  ops: 'Mod+2',
  fleet: 'Mod+3',
  knowledge: 'Mod+4',
  settings: 'Mod+5'
} as const

export type ShortcutName = keyof typeof defaultShortcuts
/** The keys of each, such as `Mod+Shift+P`; empty for none. */
export type Shortcuts = Readonly<Record<ShortcutName, string>>

export const shortcutNames = Object.keys(defaultShortcuts) as readonly ShortcutName[]

/** Modifiers in this order, then a letter, a digit, a sign or a function key. */
const written = /^(Mod\+)?(Alt\+)?(Shift\+)?([A-Z0-9]|[.,;/'[\]\\`]|F(?:[1-9]|1[0-2]))$/

/** Keys that edit text, open the menu of what has the focus, close, quit and zoom: they do so in every program. */
const taken: ReadonlySet<string> = new Set([
  ...['Mod+A', 'Mod+C', 'Mod+V', 'Mod+X', 'Mod+Y', 'Mod+Z', 'Mod+Shift+Z', 'Mod+Shift+V'],
  // How a character is typed by its number where IBus is the input method.
  'Mod+Shift+U',
  ...['Shift+F10', 'Mod+Q', 'Mod+Shift+Q', 'Mod+W', 'Mod+M', 'Mod+H', 'Mod+Alt+H', 'Mod+0', 'Mod+`'],
  ...['Mod+F4', 'Alt+F4', 'F11']
])

/**
 * Why keys cannot be a shortcut: not a combination, typed while writing, or the system's; null when they can.
 * @param platform as Node names it: on macOS a key together with Alt types a sign, such as @ on a German keyboard.
 *   Without one, what is so on every system
 */
export function shortcutFault(keys: string, platform = ''): 'unknown' | 'plain' | 'taken' | null {
  const parts = written.exec(keys)
  if (parts === null) return 'unknown'
  const [, mod, alt, , key = ''] = parts
  const types = mod === undefined && (alt === undefined || platform === 'darwin')
  if (types && key.length === 1) return 'plain'
  return taken.has(keys) ? 'taken' : null
}
