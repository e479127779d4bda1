import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { HostConfig } from '../../src-preload/contract'

type HostKeyType = 'ed25519' | 'rsa' | 'ecdsa'

export interface SshdOptions {
  /** Folder with stand-ins such as `pct`; first in the PATH of every command. */
  readonly tools?: string
  /** More environment for every command. */
  readonly env?: Readonly<Record<string, string>>
  readonly hostKeys?: readonly HostKeyType[]
  /** More lines of sshd_config, such as `MaxSessions 2`. */
  readonly config?: readonly string[]
}

/** A real OpenSSH server on the loopback interface, with a home folder of its own. */
export interface Sshd {
  readonly port: number
  /** Everything it owns; removed by `stop`. */
  readonly folder: string
  /** HOME of every command. */
  readonly home: string
  /** Private key that may log in. */
  readonly keyFile: string
  /** Of the first host key. */
  readonly hostKeyFingerprint: string
  /** A host as the configuration has it, with the key pinned unless `hostKey: undefined` is given. */
  hostConfig(name: string, overrides?: Partial<HostConfig>): HostConfig
  /** What the server logged so far, one line each. */
  log(): string[]
  /** Kills the listener and every session, and starts anew with the same keys and port. */
  restart(): Promise<void>
  /** Kills the listener and every session; `start` brings it back. */
  halt(): Promise<void>
  start(): Promise<void>
  /** Ends every session as a lost network would; the listener and the commands stay. */
  cutSessions(): void
  /** Makes a new host key, as a reinstalled machine has; used after the next restart. */
  replaceHostKey(): void
  /** Lets nobody in, or the test's key again. */
  authorize(publicKeys: readonly string[]): void
  /** The line of authorized_keys for `keyFile`. */
  readonly publicKey: string
  stop(): Promise<void>
}

export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'nomos-sshd-'))
  const home = join(folder, 'home')
  const keyFile = join(folder, 'client_key')
  const authorizedKeys = join(folder, 'authorized_keys')
  const logFile = join(folder, 'sshd.log')
  const hostKeys = options.hostKeys ?? ['ed25519']
  const hostKeyFile = (type: HostKeyType) => join(folder, `host_${type}`)

  mkdirSync(home)
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  for (const type of hostKeys) makeKey(hostKeyFile(type), type)
  makeKey(keyFile, 'ed25519')
  const publicKey = readFileSync(`${keyFile}.pub`, 'utf8').trim()
  const authorize = (keys: readonly string[]) =>
    writeFileSync(authorizedKeys, keys.map((key) => key + '\n').join(''))
  authorize([publicKey])

  const environment = {
    HOME: home,
    PATH: `${options.tools ? options.tools + ':' : ''}${process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin'}`,
    ...options.env
  }
  const port = await freePort()
  const configFile = join(folder, 'sshd_config')
  writeFileSync(
    configFile,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      ...hostKeys.map((type) => `HostKey ${hostKeyFile(type)}`),
      'PidFile none',
      `AuthorizedKeysFile ${authorizedKeys}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin yes',
      'MaxStartups 200',
      'LogLevel VERBOSE',
      `SetEnv ${Object.entries(environment)
        .map(([name, value]) => `"${name}=${value}"`)
        .join(' ')}`,
      ...(options.config ?? [])
    ].join('\n') + '\n'
  )

  const firstFingerprint = () => fingerprintOf(`${hostKeyFile(hostKeys[0] ?? 'ed25519')}.pub`)
  let listener: ChildProcess | null = null
  const killWithThisProcess = () => listener?.kill('SIGKILL')
  process.once('exit', killWithThisProcess)
  const start = async () => {
    const child = spawn('/usr/sbin/sshd', ['-D', '-E', logFile, '-f', configFile], { stdio: 'ignore' })
    listener = child
    await listening(port, child, logFile)
  }
  const halt = async () => {
    const child = listener
    listener = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const sessions = childrenOf(child.pid)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    sessions.forEach(kill)
    await gone
  }
  await start()

  return {
    port,
    folder,
    home,
    keyFile,
    publicKey,
    get hostKeyFingerprint() {
      return firstFingerprint()
    },
    hostConfig(name, overrides = {}) {
      return {
        name,
        address: '127.0.0.1',
        port,
        user: userInfo().username,
        identity: { keyFile },
        hostKey: firstFingerprint(),
        sudo: false,
        ...overrides
      }
    },
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').filter(Boolean) : []),
    restart: async () => {
      await halt()
      await start()
    },
    halt,
    start,
    cutSessions: () => childrenOf(listener?.pid).forEach(kill),
    replaceHostKey: () => hostKeys.forEach((type) => makeKey(hostKeyFile(type), type)),
    authorize,
    stop: async () => {
      await halt()
      process.off('exit', killWithThisProcess)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function makeKey(file: string, type: HostKeyType): void {
  rmSync(file, { force: true })
  rmSync(`${file}.pub`, { force: true })
  const bits = type === 'rsa' ? ['-b', '2048'] : []
  execFileSync('ssh-keygen', ['-q', '-t', type, ...bits, '-N', '', '-C', 'nomos-test', '-f', file])
}

function fingerprintOf(publicKeyFile: string): string {
  const blob = readFileSync(publicKeyFile, 'utf8').split(' ')[1] ?? ''
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Resolves when the server greets; rejects with its log when it ends instead. */
async function listening(port: number, child: ChildProcess, logFile: string): Promise<void> {
  while (child.exitCode === null) {
    if (await greets(port)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`sshd ended: ${existsSync(logFile) ? readFileSync(logFile, 'utf8') : 'no log'}`)
}

const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (yes: boolean) => {
      socket.destroy()
      resolve(yes)
    }
    socket.once('data', (data) => answer(data.toString().startsWith('SSH-2.0')))
    socket.once('error', () => answer(false))
    socket.once('close', () => answer(false))
  })

/** The processes of the sessions, which sshd detaches from its own group. */
function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined) return []
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself meanwhile.
  }
}
