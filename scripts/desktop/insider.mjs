/** The first program on a desktop of our own: unlocks the keyring, then runs the command. */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../lib/program.mjs'
import { runVisibly } from '../lib/run.mjs'
import { endMarked, marker } from './marked-processes.mjs'

const home = process.env.HOME
const [owner, command, ...args] = process.argv.slice(2)

writeFileSync(join(home, 'insider.pid'), String(process.pid))
setInterval(tidyUpWithoutOwner, 1_000).unref()

await program(async () => {
  await unlockKeyring()
  return await runVisibly(command, args, { cwd: process.cwd() })
})

/** The daemon goes into the background once it is ready, and ends with the session's bus. */
function unlockKeyring() {
  return new Promise((done, fail) => {
    const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
      stdio: ['pipe', 'ignore', 'ignore']
    })
    daemon.on('error', fail)
    daemon.on('exit', (code) =>
      code === 0 ? done() : fail(new Error(`gnome-keyring-daemon ended with ${code} at its start`))
    )
    daemon.stdin.end('a keyring for one run\n')
  })
}

/** Who made this desktop takes it down; where that was killed, the desktop would stay for ever. */
async function tidyUpWithoutOwner() {
  try {
    process.kill(Number(owner), 0)
  } catch {
    await endMarked(process.env[marker])
    rmSync(home, { recursive: true, force: true })
    process.exit(1)
  }
}
