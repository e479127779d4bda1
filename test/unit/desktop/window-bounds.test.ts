import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBounds, saveBounds } from '../../../src-main/desktop/window-bounds'
import { tempFolder } from '../../support/temp'

const screens = [
  { x: 0, y: 0, width: 1920, height: 1080 },
  { x: 1920, y: 0, width: 1280, height: 1024 }
]
const usual = { width: 1200, height: 800, maximized: false }

test('the window opens where it was, also on a second screen', () => {
  const home = tempFolder()
  const place = { x: 2000, y: 40, width: 1000, height: 700, maximized: true }
  saveBounds(home, place)
  expect(readBounds(home, screens)).toEqual(place)
  expect(JSON.parse(readFileSync(join(home, 'window.json'), 'utf8'))).toEqual(place)
})

test('on a screen that is no longer there it opens in its usual place', () => {
  const home = tempFolder()
  saveBounds(home, { x: 2000, y: 40, width: 1000, height: 700, maximized: false })
  expect(readBounds(home, screens.slice(0, 1))).toEqual(usual)
  saveBounds(home, { x: 100, y: -900, width: 1000, height: 700, maximized: false })
  expect(readBounds(home, screens)).toEqual(usual)
})

test.each([
  '',
  '{',
  '[]',
  '{"x":0}',
  '{"x":0,"y":0,"width":10,"height":10,"maximized":false}',
  '{"x":"0"}',
  'null',
  '\0'
])('a file with %j in it is ignored', (content) => {
  const home = tempFolder()
  writeFileSync(join(home, 'window.json'), content)
  expect(readBounds(home, screens)).toEqual(usual)
})

test('without a file, and in a folder that cannot be written, nothing fails', () => {
  const missing = join(tempFolder(), 'missing')
  expect(readBounds(missing, screens)).toEqual(usual)
  expect(() => saveBounds(missing, { x: 0, y: 0, width: 900, height: 600, maximized: false })).not.toThrow()
})
