import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Gateway } from './gateway'

/** Bytes of one message. */
const maxMessage = 1024 * 1024

/**
 * Serves MCP on a pair of streams, one JSON message a line, until the other side ends its own.
 * Nothing but messages may be written to `output`.
 */
export function serveStdio(
  gateway: Gateway,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
  way?: string
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxMessage })
  return new Promise((resolve, reject) => {
    const end = () => void transport.close()
    input.once('end', end)
    input.once('close', end)
    output.once('error', end)
    gateway
      .connect(transport, 'outside', { onClose: resolve, ...(way !== undefined && { way }) })
      .catch(reject)
  })
}
