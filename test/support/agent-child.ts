import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAgent } from '../../src-main/agent/agent'
import { createModelSource } from '../../src-main/agent/providers'
import { systemClock } from '../../src-main/base/clock'
import { silentLogger } from '../../src-main/base/log'
import { fail } from '../../src-main/base/result'
import { openStore } from '../../src-main/store/store'
import { tableExecutions } from './table-executions'
import { toolPort } from './tool-port'

// An agent in a process of its own, so that it can be killed: SCENE says where its database is and what happens.
const scene = JSON.parse(process.env['SCENE'] ?? '{}') as {
  folder: string
  baseURL: string
  start: 'turn' | 'continuation'
}

const opened = openStore(scene.folder, join(import.meta.dirname, '../../migrations'), systemClock)
if (!opened.ok) throw new Error(opened.error.message)
const store = opened.value
const tables = tableExecutions(store)
const ran = (name: string) => () => {
  appendFileSync(join(scene.folder, 'ran.log'), `${name}\n`)
  return { text: `${name} ran` }
}
const agent = createAgent({
  store,
  tools: toolPort({ change: { readOnly: false, run: ran('change') }, look: { run: ran('look') } }),
  models: createModelSource({
    modelConfig: () => ({
      provider: 'openai-compatible',
      baseURL: scene.baseURL,
      model: 'scripted',
      contextWindow: 128_000
    }),
    secrets: { resolve: () => Promise.resolve(fail('secret_missing', 'none')) }
  }),
  executions: tables.executions,
  fleetSummary: () => '',
  soul: 'You are Nomos.',
  toolsSummary: () => '',
  skillsIndex: () => '',
  clock: systemClock,
  log: silentLogger
})
agent.recover()
const [session] = agent.listSessions()
if (!session) {
  const created = agent.createSession()
  if (!created.ok) throw new Error(created.error.message)
  if (scene.start === 'turn') agent.send(created.value.id, 'go')
  else {
    tables.openWindow(created.value.id)
    tables.ends(created.value.id, 'failed')
  }
}
// Killed at its crash point; should none be reached, the test must not hang.
setTimeout(() => process.exit(7), 20_000)
// What is read when it is first needed can be read only while this module is being run.
await new Promise(() => undefined)
