import { expect, test } from 'vitest'
import { autostartEntry, isTurnedOff } from '../../../src-main/desktop/autostart-entry'

const execOf = (program: string, args: readonly string[] = [], home: string | null = null) =>
  /^Exec=(.*)$/m.exec(autostartEntry({ program, args, home }))?.[1]

test('an entry of the desktop starts exactly this program with these arguments', () => {
  expect(execOf('/usr/lib/nomos/nomos', ['--hidden'])).toBe('/usr/lib/nomos/nomos --hidden')
  expect(execOf('/opt/nomos', [], '/data/nomos')).toBe('env NOMOS_HOME=/data/nomos /opt/nomos')
})

// "The Exec key" of freedesktop.org's Desktop Entry Specification: quotes, then the escapes of a string.
test.each([
  ['/home/a b/Nomos.AppImage', '"/home/a b/Nomos.AppImage"'],
  ['/home/$x/`y`', '"/home/\\\\$x/\\\\`y\\\\`"'],
  ['/home/"q"', '"/home/\\\\"q\\\\""'],
  ['/home/100%', '"/home/100%%"']
])('%s is quoted', (program, written) => {
  expect(execOf(program)).toBe(written)
})

test('an entry that was turned off in the desktop’s own settings is known as such', () => {
  const entry = autostartEntry({ program: '/usr/bin/nomos', args: [], home: null })
  expect(isTurnedOff(entry)).toBe(false)
  expect(isTurnedOff(entry.replace('enabled=true', 'enabled=false'))).toBe(true)
  expect(isTurnedOff(`${entry}Hidden=true\n`)).toBe(true)
})
