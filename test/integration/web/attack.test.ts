import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWeb } from '../../../src-main/web/web'

async function site(handler: RequestListener) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    handler(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { hostPort: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const read = (allowed: string, path: string, more = {}) =>
  createWeb({ allowPrivate: () => [allowed], rewrite: () => null, ...more }).fetch(
    `http://${allowed}${path}`,
    0,
    new AbortController().signal
  )

describe('a page that means harm', () => {
  it.each([
    'http://10.0.0.1/',
    'http://[::ffff:169.254.169.254]/latest/',
    'http://localhost:22/',
    'http://0x7f000001/'
  ])('B29 B31: cannot lead over three harmless redirects to %s', async (target) => {
    const secret = await site((_request, response) => response.end('secret'))
    const page = await site((request, response) => {
      const hop = Number(request.url?.slice(1))
      response.writeHead(302, { location: hop < 3 ? `/${hop + 1}` : target }).end()
    })
    expect(await read(page.hostPort, '/1')).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/address_blocked|url_refused|redirect/) as string }
    })
    expect(page.requests).toEqual(['/1', '/2', '/3'])
    expect(secret.requests).toEqual([])
  })

  it('B29: cannot lead back to the operator’s own network by a name whose address changes between two hops', async () => {
    const page = await site((request, response) =>
      request.url === '/start'
        ? response.writeHead(302, { location: 'http://rebind.example/secret' }).end()
        : response.end('secret')
    )
    let asked = 0
    // Public when it is looked at first, private from then on.
    const resolve = async () => (asked++ === 0 ? ['93.184.216.34'] : ['127.0.0.1'])
    const fetched = await read(page.hostPort, '/start', { resolve })
    expect(fetched.ok).toBe(false)
    expect(page.requests).toEqual(['/start'])
  })

  it.each([
    ['one header of 1 MB', () => `X-A: ${'a'.repeat(1024 * 1024)}\r\n`],
    ['ten thousand headers', () => Array.from({ length: 10_000 }, (_, i) => `X-${i}: a\r\n`).join('')]
  ])('B34: with %s is refused', async (_, headers) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${headers()}\r\nhello`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    expect(await read(`127.0.0.1:${(server.address() as AddressInfo).port}`, '/')).toMatchObject({
      ok: false
    })
  })

  it('B29: packed twice over, gives neither its inside nor much memory', async () => {
    const inner = gzipSync(Buffer.alloc(200 * 1024 * 1024, 'a'))
    const page = await site((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip, gzip' })
        .end(gzipSync(inner))
    )
    const before = process.memoryUsage().rss
    expect(await read(page.hostPort, '/')).toMatchObject({ ok: false })
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })
})
