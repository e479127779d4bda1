import { expect, test } from 'vitest'
import { defaultShortcuts, shortcutFault } from '../../../src-preload/contract'
import { eventKeys, writtenKeys } from '../../../src-renderer/lib/keys'

const press = (key: string, held: Partial<Parameters<typeof eventKeys>[0]> = {}) => ({
  ...{ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...held
})

test.each([
  ['linux', press('k', { ctrlKey: true }), 'Mod+K'],
  ['darwin', press('k', { metaKey: true }), 'Mod+K'],
  ['darwin', press('k', { ctrlKey: true }), null],
  ['linux', press('k', { metaKey: true }), null],
  ['linux', press('!', { code: 'Digit1', ctrlKey: true, shiftKey: true }), 'Mod+Shift+1'],
  ['darwin', press('˚', { code: 'KeyK', metaKey: true, altKey: true }), 'Mod+Alt+K'],
  // On a German keyboard Z and Y have changed places: what is written on the key counts.
  ['linux', press('z', { code: 'KeyY', ctrlKey: true }), 'Mod+Z'],
  ['linux', press('F5'), 'F5'],
  // AltGr and Q is @ on a German keyboard; on Windows it looks like Ctrl and Alt.
  [
    'win32',
    press('@', { code: 'KeyQ', ctrlKey: true, altKey: true, getModifierState: (key) => key === 'AltGraph' }),
    null
  ],
  ['linux', press('Control', { ctrlKey: true }), null]
])('on %s, %o is %s', (platform, event, keys) => {
  expect(eventKeys(event, platform)).toBe(keys)
})

test.each([
  ['linux', 'Alt+L', null],
  ['darwin', 'Alt+L', 'plain'],
  ['darwin', 'Alt+Shift+7', 'plain'],
  ['darwin', 'Mod+Alt+L', null],
  ['darwin', 'Alt+F9', null]
])('on %s %s as a shortcut: %s', (platform, keys, fault) => {
  expect(shortcutFault(keys, platform)).toBe(fault)
})

test.each([
  ['Mod+Shift+P', null],
  ['Alt+1', null],
  ['F9', null],
  ['X', 'plain'],
  ['Shift+X', 'plain'],
  ['Mod+C', 'taken'],
  ['Mod+Q', 'taken'],
  ['Shift+F10', 'taken'],
  ['Mod+Enter', 'unknown'],
  ['Enter', 'unknown'],
  ['Escape', 'unknown'],
  ['Tab', 'unknown'],
  ['Mod+Backspace', 'unknown'],
  ['Mod+ArrowLeft', 'unknown'],
  ['Mod+ ', 'unknown'],
  ['Shift+Mod+P', 'unknown'],
  ['', 'unknown']
])('%s as a shortcut: %s', (keys, fault) => {
  expect(shortcutFault(keys)).toBe(fault)
})

test('what comes with Nomos is without a fault and without a conflict', () => {
  const all = Object.values(defaultShortcuts)
  expect(all.map((keys) => shortcutFault(keys))).toEqual(all.map(() => null))
  expect(new Set(all).size).toBe(all.length)
})

test('keys are written as on the keyboards of the system', () => {
  expect(writtenKeys('Mod+Shift+P', 'linux')).toBe('Ctrl Shift P')
  expect(writtenKeys('Mod+Shift+P', 'darwin')).toBe('⇧ ⌘ P')
  expect(writtenKeys('', 'linux')).toBe('')
})
