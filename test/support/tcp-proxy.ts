import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy on the loopback interface that behaves as badly as a network can. */
export interface TcpProxy {
  readonly port: number
  /** Connections accepted so far. */
  readonly accepted: number
  /** Resets every connection; new ones are served. */
  cut(): void
  /** Passes nothing on any more, in either direction, and closes nothing: a half-open connection. */
  freeze(): void
  thaw(): void
  /** Waits before each chunk towards the client. */
  slow(milliseconds: number): void
  /** Hands every chunk on in pieces of at most this many bytes. */
  split(bytes: number): void
  stop(): Promise<void>
}

export async function startTcpProxy(targetPort: number, targetHost = '127.0.0.1'): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let accepted = 0
  let frozen = false
  let delay = 0
  let pieceBytes = Infinity
  let thawed: (() => void)[] = []

  const whenThawed = () => (frozen ? new Promise<void>((resolve) => thawed.push(resolve)) : Promise.resolve())
  const pass = async (chunk: Buffer, to: Socket, wait: number) => {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    for (let at = 0; at < chunk.length; at += Math.min(pieceBytes, chunk.length)) {
      await whenThawed()
      if (to.destroyed) return
      if (!to.write(chunk.subarray(at, at + pieceBytes)))
        await new Promise<void>((resolve) => {
          to.once('drain', resolve)
          to.once('close', () => resolve())
        })
    }
  }
  const pump = (from: Socket, to: Socket, wait: () => number) => {
    from.on('data', (chunk: Buffer) => {
      from.pause()
      void pass(chunk, to, wait()).then(() => from.resume())
    })
    from.on('end', () => void whenThawed().then(() => to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => void whenThawed().then(() => to.destroy()))
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    accepted++
    const upstream = connect({ port: targetPort, host: targetHost, allowHalfOpen: true })
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.once('close', () => pairs.delete(pair))
    pump(client, upstream, () => 0)
    pump(upstream, client, () => delay)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const thaw = () => {
    frozen = false
    thawed.forEach((go) => go())
    thawed = []
  }
  const cut = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy()
      upstream.destroy()
    }
  }
  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted
    },
    cut,
    freeze: () => {
      frozen = true
    },
    thaw,
    slow: (milliseconds) => {
      delay = milliseconds
    },
    split: (bytes) => {
      pieceBytes = bytes
    },
    stop: async () => {
      thaw()
      cut()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
