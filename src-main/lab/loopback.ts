import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackServer {
  readonly port: number
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  stop(): Promise<void>
}

/** Lets an HTTP server listen on a free port of 127.0.0.1. */
export async function loopback(server: Server): Promise<LoopbackServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
