import { createInterface } from 'node:readline'

/** Sends a message of JSON-RPC. */
export const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

/** Answers a call with a text. */
export const text = (id, words) => write({ id, result: { content: [{ type: 'text', text: words }] } })

/** Takes any arguments. */
export const object = { type: 'object', properties: {} }

/**
 * Serves MCP on stdio without the SDK, so that a server can do everything wrong. `tools` gives what is listed, `call`
 * is told the id, the name and the arguments of a call, `other` every other message.
 */
export function serve({ name, tools, call, other = () => undefined }) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line)
    const { id, method, params } = message
    if (method === 'initialize')
      write({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name, version: '1' }
        }
      })
    else if (method === 'tools/list') write({ id, result: { tools: tools() } })
    else if (method === 'tools/call') call(id, params.name, params.arguments ?? {})
    else other(message)
  })
}
