import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Reply, RouteInput, RouteName, RouteOutput } from '../../../src-preload/contract'
import { systemClock } from '../../../src-main/base/clock'
import { fileLogger } from '../../../src-main/base/log'
import { createCore } from '../../../src-main/core'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { createHandlers } from '../../../src-main/ipc/handlers'
import { backUp } from '../../../src-main/store/backup'
import { calls, modelServer, says, status } from '../../support/model-server'
import { tempFolder } from '../../support/temp'
import { agreeableShell } from '../../support/shell'

const apiKey = 'canary-of-the-model-4711'
const passphrase = 'canary-of-a-passphrase-4713'
const inCommand = 'canary-in-an-output-4714'

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesBelow(path)
    else if (statSync(path).isFile()) yield path
  }
}

test('no secret is in the database, a log, an event, a backup, an answer to a window or a request to the model', async () => {
  const home = tempFolder()
  const echo = (text: string) => status(401, { error: { message: `wrong key: ${text}` } })
  const model = await modelServer(
    calls([
      {
        name: 'request_execution',
        args: { action: 'run', target: 'host:strong', params: { command: `echo DB_PASSWORD=${inCommand}` } }
      }
    ]),
    says('done'),
    echo(`Bearer ${apiKey}`)
  )
  writeFileSync(
    join(home, 'nomos.config.json'),
    JSON.stringify({
      lab: true,
      model: {
        provider: 'openai-compatible',
        baseURL: model.baseURL,
        model: 'm',
        apiKey: 'keychain:model-key'
      }
    })
  )
  const logsFolder = join(home, 'logs')
  const log = fileLogger(logsFolder)
  const built = createCore({
    home,
    appFolder: resolve(import.meta.dirname, '../../..'),
    version: '0.0.0-test',
    logsFolder,
    env: {
      NOMOS_LAB_PACE: '0.05',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent'
    },
    clock: systemClock,
    log
  })
  if (!built.ok) throw new Error(built.error.message)
  const core = built.value
  onTestFinished(() => core.close())
  const seen: string[] = []
  core.store.bus.subscribe((event) => seen.push(JSON.stringify(event)))
  const dispatch = createDispatch(createHandlers(core, agreeableShell()), log)
  const ask = async <R extends RouteName>(route: R, input: RouteInput<R>) => {
    const reply = (await dispatch(route, input)) as Reply<RouteOutput<R>>
    seen.push(JSON.stringify(reply))
    if (!reply.ok) throw new Error(`${route}: ${reply.error.message}`)
    return reply.data
  }
  await core.start()
  await ask('secret.set', { name: 'model-key', value: apiKey })
  await dispatch('key.import', {
    name: 'k',
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${passphrase}\n`,
    passphrase
  })
  const session = await ask('session.create', {})
  const say = async (text: string, requests: number) => {
    await ask('message.send', { sessionId: session.id, text })
    await vi.waitFor(
      async () => {
        expect(model.requests.length).toBeGreaterThanOrEqual(requests)
        expect((await ask('session.open', { id: session.id })).messages.at(-1)?.state).not.toBe('streaming')
      },
      { timeout: 20_000, interval: 100 }
    )
  }
  await say('look', 2)
  await say('and again', 3)
  await ask('session.export', { id: session.id, format: 'json' })
  await ask('app.bootstrap', {})
  await backUp(core.store, join(home, 'backups'))

  expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`)
  const told = JSON.stringify(model.requests.map(({ body }) => body))
  expect(told.includes('DB_PASSWORD=[removed]')).toBe(true)
  const places: [string, string][] = [
    ...[...filesBelow(home)].map((path): [string, string] => [
      path.slice(home.length),
      readFileSync(path, 'latin1')
    ]),
    ['events and answers', seen.join('\n')],
    ['model', told]
  ]
  for (const canary of [apiKey, passphrase])
    expect(
      places.filter(([, text]) => text.includes(canary)).map(([name]) => name),
      canary
    ).toEqual([])
})
