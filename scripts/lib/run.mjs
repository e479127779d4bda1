import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

// Some of the tools colour what goes into a log, too, unless they are told.
if (!process.stdout.isTTY) process.env.NO_COLOR ??= '1'

export class CommandFailed extends Error {
  constructor(command, args, code, output) {
    super(`${[command, ...args].join(' ')} ended with ${code}${output ? `\n${output.trim()}` : ''}`)
    this.name = 'CommandFailed'
    this.code = code
    this.output = output
  }
}

/** Runs a command with this program's own input and output, and gives its exit code. */
export function runVisibly(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    const passOn = (signal) => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, passOn)
    const settle = () => {
      for (const signal of signals) process.off(signal, passOn)
    }
    child.on('error', (error) => {
      settle()
      fail(error)
    })
    child.on('close', (code) => {
      settle()
      done(code ?? 1)
    })
  })
}

/** Runs a command without showing it, and gives what it printed; throws with that when it fails. */
export function runQuietly(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let stdout = ''
    let all = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      all += chunk
    })
    child.stderr.on('data', (chunk) => (all += chunk))
    child.on('error', fail)
    child.on('close', (code) =>
      code === 0 ? done(stdout) : fail(new CommandFailed(command, args, code ?? 1, all))
    )
  })
}
