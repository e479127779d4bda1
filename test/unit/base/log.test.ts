import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileLogger } from '../../../src-main/base/log'
import { tempFolder } from '../../support/temp'

test('a line of the log holds no secret, in words or in data, and stays a line of JSON', () => {
  const folder = tempFolder()
  fileLogger(folder).log('warn', 'mcp', 'it answered {"password":"x7canary"}', {
    server: 'odd',
    config: { api_key: 'x7canary', args: ['--token', 'x7canary'], url: 'https://a:x7canary@b/' },
    error: 'Authorization: Bearer x7canary'
  })
  const text = readFileSync(join(folder, 'nomos.log'), 'utf8')
  expect(text).not.toContain('x7canary')
  expect(JSON.parse(text)).toMatchObject({
    message: 'it answered {"password":"[removed]"}',
    server: 'odd',
    config: { api_key: '[removed]', args: ['--token', '[removed]'] }
  })
})
