import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openConfig } from '../../../src-main/config/config'
import { lookAtStart } from '../../../src-main/config/look'
import { tempFolder } from '../../support/temp'

const file = (content: string): string => {
  const path = join(tempFolder(), 'nomos.config.json')
  writeFileSync(path, content)
  return path
}

test.each([
  '{}',
  '{"appearance":{"theme":"dark","language":"de"},"startup":{"hidden":false}}',
  '{"appearance":{"theme":"light"},"startup":{"atLogin":true}}',
  '{"appearance":{"theme":"mauve","language":7},"startup":{"hidden":"yes"}}',
  '{"appearance":"dark","startup":[]}',
  '{"appearance":{"theme":"dark"'
])('the window looks at its start as it does when all of the file is read: %s', (content) => {
  const path = file(content)
  const { appearance, startup } = openConfig(path).get()
  const { theme, language } = appearance
  expect(lookAtStart(path)).toEqual({ theme, language, hidden: startup.hidden })
})

test('without a file the defaults are in force', () => {
  expect(lookAtStart(join(tempFolder(), 'none.json'))).toEqual({
    theme: 'system',
    language: 'system',
    hidden: true
  })
})
