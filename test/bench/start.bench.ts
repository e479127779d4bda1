import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { commandLine, electronPath } from '../support/app'
import { tempFolder } from '../support/temp'
import { figure, mb, median, spread, times } from './support/figures'
import { writeExecutions, writeHome, writeSession } from './support/large-home'
import { memoryOf } from './support/processes'

const rounds = 5
/** Milliseconds after which an app that nobody uses is idle. */
const settling = 8_000

interface Subject {
  readonly name: string
  /** The app's folder. */
  readonly folder: string
  readonly home: string
  /** Says where the page can be used from: an element that is there, enabled and drawn. */
  readonly control: string
}

interface Run {
  readonly start: number
  readonly memory: number
}

/** Reports from inside the app when its page can be used; the same for every app. */
const probe = `
  const { app } = require('electron')
  app.on('web-contents-created', (_event, contents) =>
    contents.once('dom-ready', async () => {
      const at = await contents.executeJavaScript(\`new Promise((resolve) => {
        const look = () => {
          const control = document.querySelector(\${process.env.BENCH_CONTROL})
          if (control === null || control.disabled) requestAnimationFrame(look)
          else requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
        }
        look()
      })\`)
      process.stdout.write('interactive ' + at + '\\n')
    })
  )`

/** What Electron's own quick start makes: one window with one page. */
const bare = {
  'package.json': JSON.stringify({ name: 'bare', version: '1.0.0', main: 'main.cjs' }),
  'main.cjs': `
    const { app, BrowserWindow } = require('electron')
    app.setPath('userData', process.env.NOMOS_HOME)
    app.whenReady().then(() => new BrowserWindow({ width: 1280, height: 800 }).loadFile('index.html'))`,
  'index.html': '<!doctype html><title>Bare</title><h1>Hello</h1><button>Here</button>'
}

it('start and idle memory, beside a bare Electron window', async () => {
  const folder = tempFolder()
  const [bareFolder, probeFile] = [join(folder, 'bare'), join(folder, 'probe.cjs')]
  mkdirSync(bareFolder)
  for (const [name, content] of Object.entries(bare)) writeFileSync(join(bareFolder, name), content)
  writeFileSync(probeFile, probe)
  const nomos = {
    name: 'Nomos',
    folder: resolve(import.meta.dirname, '../..'),
    home: join(folder, 'nomos-home'),
    control: '[data-testid="composer-input"]'
  }
  const plain = {
    name: 'bare window',
    folder: bareFolder,
    home: join(folder, 'bare-home'),
    control: 'button'
  }
  writeUsedHome(nomos.home)

  const seen = new Map<Subject, Run[]>([
    [plain, []],
    [nomos, []]
  ])
  // The first start of each fills the caches and is not counted.
  for (let round = -1; round < rounds; round++)
    for (const [subject, runs] of seen) {
      const run = await startOnce(subject, probeFile)
      if (round >= 0) runs.push(run)
    }
  const of = (subject: Subject, what: keyof Run) => (seen.get(subject) ?? []).map((run) => run[what])
  for (const subject of seen.keys()) {
    figure(`start to interactive, ${subject.name}`, spread(of(subject, 'start')))
    figure(`idle memory, ${subject.name}`, `median ${mb(median(of(subject, 'memory')))}`)
  }
  const ratio = (what: keyof Run) => times(median(of(nomos, what)) / median(of(plain, what)))
  figure('start to interactive, ratio of medians', ratio('start'), '1.50×')
  figure('idle memory, ratio of medians', ratio('memory'), '1.60×')
})

/** A home in use: a model, a host that does not answer, sessions and executions. */
function writeUsedHome(home: string): void {
  const config = {
    model: { provider: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1', model: 'scripted' },
    hosts: [{ name: 'strong', address: '127.0.0.1', port: 9, identity: { agent: true } }]
  }
  writeHome(home, config, (store) => {
    for (let index = 0; index < 20; index++) writeSession(store, `session ${index}`, 40)
    writeExecutions(store, 200)
  })
}

async function startOnce({ folder, home, control }: Subject, probeFile: string): Promise<Run> {
  const { args, env } = commandLine(home)
  const flags = args.filter((arg) => arg.startsWith('--'))
  const begun = Date.now()
  const app = spawn(electronPath(), [...flags, '-r', probeFile, folder], {
    env: { ...env, BENCH_CONTROL: JSON.stringify(control) },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true
  })
  const ended = new Promise((done) => app.once('exit', done))
  try {
    const at = await new Promise<number>((found, fail) => {
      let printed = ''
      app.stdout.on('data', (chunk: Buffer) => {
        const match = /interactive (\d+)\n/.exec((printed += chunk.toString()))
        if (match) found(Number(match[1]))
      })
      app.once('exit', (code) => fail(new Error(`the app ended with ${code}: ${printed}`)))
    })
    await pause(settling)
    const memory = memoryOf(app.pid ?? 0)
    expect(memory).toBeGreaterThan(0)
    return { start: at - begun, memory }
  } finally {
    process.kill(-(app.pid ?? 0), 'SIGKILL')
    await ended
  }
}
