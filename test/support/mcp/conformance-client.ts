import { ServerClient } from '../../../src-main/mcp/external/client'
import { readDefinitions } from '../../../src-main/mcp/external/definition'
import { HttpTransport } from '../../../src-main/mcp/external/http-transport'
import { usualTiming } from '../../../src-main/mcp/external/timing'

/**
 * The client for external servers, as the conformance suite starts it: with the address of a server as the last
 * argument. It connects, lists the tools and calls each of them once, with small numbers for what is asked for.
 */
const nothing = () => undefined
const transport = new HttpTransport(process.argv.at(-1) ?? '', null)
const client = new ServerClient('0.0.0', usualTiming, {
  ...{ closed: nothing, toolsChanged: nothing, declined: nothing },
  error: (error) => process.stderr.write(`${error.message}\n`)
})
await client.connect(transport)
for (const tool of readDefinitions('suite', await client.list())) {
  const fields = Object.keys(tool.inputSchema['properties'] ?? {})
  const args = Object.fromEntries(fields.map((name, index) => [name, index + 2]))
  await client.call(tool.name, args, AbortSignal.timeout(10_000))
}
await transport.close()
process.exit(0)
