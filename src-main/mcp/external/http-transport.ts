import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'

/** An answer, and an event of a stream, may have this many bytes. */
const mostBytes = 4 * 1024 * 1024
/** How long a server may take to hear that its session is over. Milliseconds. */
const goodbye = 1000

/** MCP over streamable HTTP. Redirects to another origin are not followed: the token is for this one. */
export class HttpTransport extends StreamableHTTPClientTransport {
  constructor(url: string, token: string | null) {
    super(new URL(url), {
      fetch: boundedFetch,
      ...(token !== null && { requestInit: { headers: { authorization: `Bearer ${token}` } } })
    })
  }

  override async close(): Promise<void> {
    await Promise.race([
      this.terminateSession().catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, goodbye).unref())
    ])
    await super.close()
  }
}

const boundedFetch: FetchLike = async (url, init) => {
  const response = await fetch(url, init)
  if (!response.body) return response
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(bounded(streamed)), { status, statusText, headers })
}

/** Ends a body with an error where it is too long; in a stream of events the count begins anew with each event. */
function bounded(streamed: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  let atLineStart = false
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        size++
        if (!streamed || byte === 0x0d) continue
        // An empty line ends an event (HTML standard, "Server-sent events").
        if (byte === 0x0a && atLineStart) size = 0
        atLineStart = byte === 0x0a
      }
      if (size > mostBytes)
        controller.error(new Error(`The server sent more than ${mostBytes} bytes at once.`))
      else controller.enqueue(chunk)
    }
  })
}
