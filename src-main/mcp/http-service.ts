import type { Logger } from '../base/log'
import type { ConfigService } from '../config/port'
import type { Gateway } from './gateway'
import type { HttpGateway } from './http'

export interface HttpServiceOptions {
  readonly gateway: Gateway
  readonly home: string
  readonly config: ConfigService
  readonly log: Logger
}

export interface HttpService {
  /** Where clients connect now; null while it is off. */
  url(): string | null
  close(): Promise<void>
}

/** Serves MCP over HTTP while `gateway.http` of the configuration says so, on the port that it says. */
export function serveHttpAsConfigured({ gateway, home, config, log }: HttpServiceOptions): HttpService {
  let serving: HttpGateway | null = null
  let wanted = ''
  let closed = false
  /** One change after the other, so that a port is free before it is asked for again. */
  let work: Promise<void> = Promise.resolve()

  async function follow(enabled: boolean, port: number): Promise<void> {
    await serving?.close()
    serving = null
    if (!enabled || closed) return
    const { serveHttp } = await import('./http')
    const started = await serveHttp({ gateway, home, port, log })
    if (started.ok) {
      serving = started.value
      log.log('info', 'mcp', 'serving over HTTP', { url: serving.url })
    } else log.log('error', 'mcp', started.error.message, { hint: started.error.hint })
  }

  const look = () => {
    const { enabled, port } = config.get().gateway.http
    const now = enabled ? `on ${port}` : 'off'
    if (now === wanted) return
    wanted = now
    work = work.then(() => follow(enabled, port))
  }
  look()
  const unsubscribe = config.onChange(look)

  return {
    url: () => serving?.url ?? null,
    async close() {
      closed = true
      unsubscribe()
      await work
      await serving?.close()
      serving = null
    }
  }
}
