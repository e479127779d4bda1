/**
 * Runs a command on a desktop of its own, without a screen: a session bus, an X
 * server, a home folder and an unlocked keyring that nobody else uses and that
 * are gone afterwards. On systems other than Linux it runs on the desktop there is.
 *
 *   node scripts/with-desktop.mjs COMMAND [ARGUMENT…]
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { endMarked, marker } from './desktop/marked-processes.mjs'
import { root } from './lib/paths.mjs'
import { isStarted, program } from './lib/program.mjs'
import { runVisibly } from './lib/run.mjs'

const insider = join(import.meta.dirname, 'desktop/insider.mjs')
const screen = '-screen 0 1600x1000x24'
const patience = 5_000

/** Gives the command's exit code. */
export async function withDesktop(command, args, options = {}) {
  const isHere = process.platform !== 'linux' || process.env[marker]
  return isHere ? await runVisibly(command, args, options) : await onOwnDesktop(command, args, options)
}

async function onOwnDesktop(command, args, { env = process.env, ...options }) {
  const home = mkdtempSync(join(tmpdir(), 'nomos-desktop-'))
  const runtime = join(home, 'run')
  mkdirSync(runtime, { mode: 0o700 })
  const id = home.slice(-6)

  const child = spawn(
    'dbus-run-session',
    ['--', 'xvfb-run', '-a', '-s', screen, process.execPath, insider, String(process.pid), command, ...args],
    {
      cwd: root,
      stdio: ['inherit', 'inherit', 'pipe'],
      detached: true,
      ...options,
      env: ownEnvironment(env, { home, runtime, id })
    }
  )
  createInterface({ input: child.stderr }).on('line', passOn)
  const ended = new Promise((done, fail) => {
    child.on('error', (error) => fail(explain(error)))
    child.on('exit', (code) => done(code ?? 1))
  })

  const silent = new Promise((done) => child.on('close', done))

  const stop = () => void stopGently(home, ended, id)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, stop)
  try {
    return await ended
  } finally {
    for (const signal of signals) process.off(signal, stop)
    await endMarked(id)
    await silent
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

function ownEnvironment(env, { home, runtime, id }) {
  const own = { ...env, HOME: home, XDG_RUNTIME_DIR: runtime, [marker]: id, XDG_SESSION_TYPE: 'x11' }
  for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'])
    delete own[name]
  for (const name of ['DBUS_SESSION_BUS_ADDRESS', 'WAYLAND_DISPLAY', 'DISPLAY', 'NOMOS_HOME'])
    delete own[name]
  return own
}

/** Ends the command itself first, so that the X server and the bus around it end in their own way. */
async function stopGently(home, ended, id) {
  try {
    process.kill(Number(readFileSync(join(home, 'insider.pid'), 'utf8')), 'SIGTERM')
    await Promise.race([ended, pause(patience, undefined, { ref: false })])
  } catch {
    // It had not started yet, or is gone already.
  }
  await endMarked(id)
}

/** The session bus reports its own start and limits, which tells a reader nothing. */
function passOn(line) {
  if (!line.startsWith('dbus-daemon[')) process.stderr.write(`${line}\n`)
}

const explain = (error) =>
  error.code === 'ENOENT'
    ? new Error(
        `${error.path} is not installed. Needed here: dbus xvfb xauth gnome-keyring (Debian's names).`
      )
    : error

if (isStarted(import.meta.url)) {
  const [command, ...args] = process.argv.slice(2)
  await program(() => withDesktop(command, args))
}
