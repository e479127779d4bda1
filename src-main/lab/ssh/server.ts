import { timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import ssh2, { type AuthContext, type Connection, type ServerChannel, type Session } from 'ssh2'
import type { Simulation } from '../jobs/simulation'
import { runCommand } from './command'
import type { LabKey } from './keys'

/** As OpenSSH's default `MaxSessions`: one more is refused. */
const maxSessions = 10

export interface LabSshServer {
  readonly port: number
  /** Cuts every connection as a broken network does. */
  dropConnections(): void
  stop(): Promise<void>
}

/** An SSH server on loopback that stands for one node: public key only, commands only. */
export async function startSshServer(
  simulation: Simulation,
  node: string,
  hostKey: LabKey,
  clientKey: LabKey,
  onCommand: (line: string) => void
): Promise<LabSshServer> {
  const open = new Set<Connection>()
  const server = new ssh2.Server(
    { hostKeys: [hostKey.privateKey], ident: 'OpenSSH_10.0p2-lab' },
    (client) => {
      open.add(client)
      client.on('close', () => open.delete(client))
      // A connection that breaks is the client's business; without a listener it would end the process.
      client.on('error', () => open.delete(client))
      client.on('authentication', (context) => authenticate(context, clientKey))
      client.on('ready', () =>
        serve(client, (channel, line) => {
          onCommand(line)
          runCommand(simulation, node, line, channel)
        })
      )
    }
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    dropConnections: () => {
      for (const client of open) destroy(client)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const client of open) client.end()
        // A client that does not answer the farewell must not hold the app open.
        setTimeout(() => open.forEach(destroy), 300).unref()
      })
  }
}

/** Destroys the connection's socket without a farewell; ssh2 keeps it in `_sock`. */
function destroy(client: Connection): void {
  const socket: unknown = Reflect.get(client, '_sock')
  if (socket && typeof socket === 'object' && 'destroy' in socket && typeof socket.destroy === 'function')
    socket.destroy()
}

const sameBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

function authenticate(context: AuthContext, clientKey: LabKey): void {
  if (context.method !== 'publickey' || context.username !== 'root') return context.reject(['publickey'])
  if (!sameBytes(context.key.data, clientKey.publicBlob)) return context.reject(['publickey'])
  if (!context.signature || !context.blob) return context.accept()
  const key = ssh2.utils.parseKey(clientKey.privateKey)
  const good =
    !(key instanceof Error) && key.verify(context.blob, context.signature, context.hashAlgo) === true
  if (good) context.accept()
  else context.reject(['publickey'])
}

function serve(client: Connection, run: (channel: ServerChannel, line: string) => void): void {
  let sessions = 0
  client.on('session', (accept, reject) => {
    if (sessions >= maxSessions) return reject()
    sessions++
    const session: Session = accept()
    session.on('close', () => sessions--)
    session.on('exec', (acceptExec, _reject, info) => run(acceptExec(), info.command))
    session.on('shell', (acceptShell) => {
      const channel = acceptShell()
      channel.stderr.write('The lab runs commands only; there is no interactive shell.\n')
      channel.exit(1)
      channel.end()
    })
  })
}
