import { t } from './text'

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> &
  Partial<Pick<KeyboardEvent, 'getModifierState'>>

/**
 * The keys that are pressed, written as the configuration has them, such as `Mod+Shift+P`; null while only
 * modifiers are held, and with AltGr, which types: on Windows it is Ctrl and Alt at once. With Alt or Shift a key
 * gives another sign, so then its place on the keyboard counts.
 */
export function eventKeys(event: Pressed, platform: string): string | null {
  const key = keyOf(event)
  if (key === null || event.getModifierState?.('AltGraph') === true) return null
  const [mod, other] = platform === 'darwin' ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
  if (other) return null
  return `${mod ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}${key}`
}

function keyOf({ key, code, altKey, shiftKey }: Pressed): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process', 'Unidentified'].includes(key))
    return null
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const place = /^(?:Digit|Key)([0-9A-Z])$/.exec(code)?.[1]
  if (place !== undefined && (altKey || shiftKey)) return place
  return key
}

const names: Readonly<Record<string, string>> = t.keys
const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '⏎' }

/** Keys as they are written on this system: `Ctrl Shift P`, `⇧ ⌘ P`. */
export function writtenKeys(keys: string, platform: string): string {
  const parts = keys.split('+')
  if (platform !== 'darwin') return parts.map((part) => names[part] ?? part).join(' ')
  // Apple's order of modifiers ends with Command.
  const modifiers = ['Alt', 'Shift', 'Mod'].filter((part) => parts.includes(part))
  return [...modifiers, parts.at(-1) ?? ''].map((part) => macNames[part] ?? part).join(' ')
}
