import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src-main/base/clock'
import { silentLogger } from '../../../src-main/base/log'
import { rememberSecret } from '../../../src-main/base/redact'
import { ok } from '../../../src-main/base/result'
import { createCore } from '../../../src-main/core'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { createHandlers } from '../../../src-main/ipc/handlers'
import { tempFolder } from '../../support/temp'
import { agreeableShell } from '../../support/shell'

const config = {
  model: {
    provider: 'openai-compatible',
    baseURL: 'https://someone:hunter2pass@models.example/v1?key=abcdefgh',
    model: 'm',
    apiKey: 'keychain:model'
  },
  mcpServers: {
    files: { command: 'server', args: ['--token', 'args-are-secret'], env: { TOKEN: 'env-is-secret' } }
  }
}

/** The core on a home of the test's own, and what a window would reach. */
function start() {
  const home = tempFolder()
  writeFileSync(join(home, 'nomos.config.json'), JSON.stringify(config))
  mkdirSync(join(home, 'logs'))
  writeFileSync(
    join(home, 'logs/nomos.log'),
    `${JSON.stringify({ message: 'Authorization: Bearer abc.def.ghi' })}\n${JSON.stringify({ message: 'a remembered-one' })}\n${JSON.stringify({ message: 'it said {"password":"x7canary"}', data: { db: { password: 'x7canary', env: ['A_TOKEN=x7canary'] } } })}\n`
  )
  const built = createCore({
    ...{ home, appFolder: resolve(import.meta.dirname, '../../..'), version: '0.0.0-test' },
    ...{ logsFolder: join(home, 'logs'), clock: systemClock, log: silentLogger },
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
  })
  if (!built.ok) throw new Error(built.error.message)
  onTestFinished(() => built.value.close())
  const asked: string[] = []
  const shell = agreeableShell({
    showFolder: async (folder) => {
      asked.push(folder)
      return ok(null)
    },
    restart: () => void asked.push('restart')
  })
  return { home, asked, dispatch: createDispatch(createHandlers(built.value, shell), silentLogger) }
}

describe('the diagnostics', () => {
  it('tell versions, settings, counts and the log, readable for their owner alone, and hold no secret', async () => {
    const { home, asked, dispatch } = start()
    rememberSecret('remembered-one')
    expect(await dispatch('data.save_diagnostics', {})).toEqual({ ok: true, data: null })
    const folder = join(home, 'diagnostics')
    expect(asked).toEqual([folder])
    const file = join(folder, readdirSync(folder)[0] ?? '')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
    const text = readFileSync(file, 'utf8')
    const content = JSON.parse(text) as Record<string, unknown>
    expect(content).toMatchObject({
      nomos: '0.0.0-test',
      database: { rows: { sessions: 0, executions: 0 } },
      settings: { model: { apiKey: 'keychain:model', baseURL: 'https://models.example' } }
    })
    for (const secret of [
      'hunter2pass',
      'abcdefgh',
      'is-secret',
      'abc.def.ghi',
      'remembered-one',
      'x7canary'
    ])
      expect(text).not.toContain(secret)
  })
})

describe('the backups', () => {
  it('are made, listed and restored, and the app starts again', async () => {
    const { asked, dispatch } = start()
    expect(await dispatch('data.backups', {})).toEqual({ ok: true, data: [] })
    const made = await dispatch('data.back_up', {})
    expect(made).toMatchObject({
      ok: true,
      data: [{ name: expect.stringMatching(/^nomos-.*\.db$/) as string }]
    })
    const [backup] = (made as { data: readonly { readonly name: string }[] }).data
    expect(await dispatch('data.restore', { name: 'none.db' })).toMatchObject({ ok: false })
    expect(asked).toEqual([])
    expect(await dispatch('data.restore', { name: backup?.name })).toEqual({ ok: true, data: null })
    expect(asked).toEqual(['restart'])
  })
})
