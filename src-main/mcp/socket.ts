import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Logger } from '../base/log'
import { messageOf } from '../base/result'
import type { Gateway } from './gateway'
import { serveStdio } from './stdio'

/** Local clients that are connected at the same time. */
export const mostClients = 16

const turnedAway =
  JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: `${mostClients} clients are connected already. End one of them first.` }
  }) + '\n'

/** Longest path of a local socket: 108 bytes with the final NUL on Linux, 104 on macOS (unix(7)). */
const longestPath = 100

/** Where the app that has a home open can be reached by programs of the same user. */
export function socketPath(home: string): string {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\nomos-${name}`
  const path = join(home, 'mcp.sock')
  return Buffer.byteLength(path) < longestPath ? path : join(tmpdir(), `nomos-${name}`, 'mcp.sock')
}

/**
 * Lets `nomos mcp` hand its client on to this app: each connection is an MCP client from outside, in the framing of
 * stdio. Only the user whose app this is can connect. Returns what ends it.
 */
export function serveSocket(gateway: Gateway, home: string, log: Logger): () => Promise<void> {
  const path = socketPath(home)
  const places = Array.from({ length: mostClients }, (): Socket | null => null)
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    // Who comes back gets the place that was left, with the calls that were counted there.
    const place = places.indexOf(null)
    if (place === -1) {
      log.log('warn', 'mcp', 'a local client was turned away: too many are connected', { most: mostClients })
      client.end(turnedAway)
      return
    }
    places[place] = client
    client.on('close', () => (places[place] = null))
    serveStdio(gateway, client, client, `local ${place}`).catch((error: unknown) =>
      log.log('warn', 'mcp', 'a local client could not be served', { error: messageOf(error) })
    )
  })
  server.on('error', (error) =>
    log.log('warn', 'mcp', 'local clients cannot connect', { error: error.message })
  )
  if (process.platform !== 'win32') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Left by a run that was killed; the home's lock says that nobody else serves it.
    rmSync(path, { force: true })
    if (!isOurs(dirname(path))) {
      log.log('warn', 'mcp', 'local clients cannot connect: their folder belongs to somebody else', { path })
      return () => Promise.resolve()
    }
  }
  server.listen(path, () => {
    if (process.platform !== 'win32') chmodSync(path, 0o600)
  })
  return async () => {
    for (const client of places) client?.destroy()
    await new Promise((done) => server.close(done))
  }
}

/** Whether a folder belongs to this user: one in the temporary folder could have been put there by another. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return (
    stat !== undefined && stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
  )
}

/** A connection to the app that has the home open; null when none answers. */
export function connectToApp(home: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const path = socketPath(home)
    if (process.platform !== 'win32' && !isOurs(dirname(path))) return resolve(null)
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}
