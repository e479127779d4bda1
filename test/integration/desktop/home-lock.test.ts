import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import ts from 'typescript'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holderOf, lockHome } from '../../../src-main/base/home-lock'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nomos-lock-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const file = () => join(home, 'nomos.lock')
const write = (holder: object) => writeFileSync(file(), JSON.stringify({ started: '', since: 1, ...holder }))

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((ended) => child.on('exit', ended))
  return child.pid ?? 0
}

test('F28 a home that a living program holds is refused, and left alone', () => {
  const lock = lockHome(home, 'app')
  expect(lock.ok).toBe(true)
  const before = readFileSync(file(), 'utf8')
  const second = lockHome(home, 'mcp')
  expect(second).toMatchObject({
    ok: false,
    error: { code: 'home_locked', data: { program: 'app', pid: process.pid } }
  })
  expect(readFileSync(file(), 'utf8')).toBe(before)
  expect(holderOf(home)).toMatchObject({ program: 'app' })
})

test('a released home is free for the next program', () => {
  const first = lockHome(home, 'app')
  if (first.ok) first.value.release()
  expect(holderOf(home)).toBeNull()
  expect(lockHome(home, 'mcp')).toMatchObject({ ok: true, value: { holder: { program: 'mcp' } } })
  expect(readdirSync(home)).toEqual(['nomos.lock'])
})

test('releasing late does not take the home away from the next program', () => {
  const first = lockHome(home, 'app', 1)
  rmSync(file())
  const second = lockHome(home, 'mcp', 2)
  if (first.ok) first.value.release()
  expect(second.ok && holderOf(home)).toMatchObject({ program: 'mcp' })
})

test('the lock of a program that was killed is taken over', async () => {
  write({ pid: await deadPid(), program: 'app' })
  expect(holderOf(home)).toBeNull()
  expect(lockHome(home, 'app').ok).toBe(true)
})

test.runIf(process.platform === 'linux')('a pid that another program has got since is not the holder', () => {
  write({ pid: process.pid, program: 'app', started: 'another boot/1' })
  expect(holderOf(home)).toBeNull()
  expect(lockHome(home, 'app').ok).toBe(true)
})

test('half a lock, or one with something else in it, is taken over', () => {
  for (const content of ['', '{"pid":', '[]', '{"pid":"x"}', '\0']) {
    writeFileSync(file(), content)
    const lock = lockHome(home, 'app')
    expect(lock.ok, JSON.stringify(content)).toBe(true)
    if (lock.ok) lock.value.release()
  }
})

test('of many programs that find a stale lock at once, one gets the home', async () => {
  write({ pid: await deadPid(), program: 'app' })
  const program = racerProgram()
  const racers = Array.from({ length: 6 }, () => startRacer(program))
  await Promise.all(racers.map((racer) => racer.ready))
  const answers = await Promise.all(racers.map((racer) => racer.go()))
  for (const racer of racers) racer.end()
  expect(answers.sort()).toEqual(['got', ...Array.from({ length: 5 }, () => 'home_locked')])
})

/** A program of its own that asks for the home when told to, and keeps it until it is ended. */
function startRacer(program: string) {
  const child = spawn(process.execPath, [program, home], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  return {
    ready: nextLine(),
    go: () => {
      child.stdin.write('go\n')
      return nextLine()
    },
    end: () => child.kill()
  }
}

/** The lock's own source as plain JavaScript, since every Node runs that. */
function racerProgram(): string {
  const folder = join(home, 'racer')
  mkdirSync(folder, { recursive: true })
  for (const name of ['home-lock', 'result']) {
    const source = readFileSync(join(import.meta.dirname, `../../../src-main/base/${name}.ts`), 'utf8')
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
    })
    writeFileSync(join(folder, `${name}.mjs`), outputText.replace("'./result'", "'./result.mjs'"))
  }
  const main = join(folder, 'main.mjs')
  writeFileSync(
    main,
    `import { lockHome } from './home-lock.mjs'
     console.log('ready')
     process.stdin.once('data', () => {
       const lock = lockHome(process.argv[2], 'app')
       console.log(lock.ok ? 'got' : lock.error.code)
     })`
  )
  return main
}
