import { Agent as HttpAgent, fetch as undiciFetch } from 'undici'
import { z } from 'zod'
import type { ModelConfig } from '../../src-preload/contract'
import { readJson } from '../base/json'
import { fromOllama, ollamaWindow, toOllama } from './ollama'
import type { HttpTimeouts } from './providers'
import { cleanResponse, type Normalise, normaliseOpenAI } from './sse'

type Fetch = typeof globalThis.fetch

/** How a model is spoken to, and how many tokens it is given to read at once. */
interface Way {
  readonly fetch: Fetch
  readonly contextWindow: number
}

/** HTTP to models' services, with the time limits that each kind is given. */
export interface ModelHttp {
  /** A `fetch` for the SDK, whose answers are cleaned before the SDK reads them; `local`: on the own network. */
  wayTo(config: ModelConfig, base: URL, local: boolean): Promise<Way>
  close(): Promise<void>
}

export function createModelHttp(timeouts: HttpTimeouts): ModelHttp {
  const agentFor = (headersTimeout: number) =>
    new HttpAgent({
      connect: { timeout: timeouts.connect },
      headersTimeout,
      bodyTimeout: timeouts.betweenChunks
    })
  const agents = { local: agentFor(timeouts.headersLocal), remote: agentFor(timeouts.headers) }
  const windows = new OllamaWindows()

  return {
    async wayTo(config, base, local) {
      const request = requestOver(local ? agents.local : agents.remote)
      const isOpenAi = config.provider === 'openai-compatible'
      const most = local && isOpenAi ? await windows.of(base, config.model, request) : null
      const contextWindow = Math.min(config.contextWindow, most ?? Infinity)
      const speak = most === null ? request : inOllamasWords(base, contextWindow, request)
      return { fetch: cleaned(speak, config.provider), contextWindow }
    },
    async close() {
      await Promise.all([agents.local.destroy(), agents.remote.destroy()])
    }
  }
}

/** A `fetch` over one undici agent. */
function requestOver(dispatcher: HttpAgent): Fetch {
  // undici's types and those of the platform describe the same objects, but do not know of each other.
  const request = undiciFetch as unknown as (
    input: Parameters<Fetch>[0],
    init: Omit<RequestInit, 'dispatcher'> & { dispatcher: HttpAgent }
  ) => Promise<Response>
  return (input, init) => request(input, { ...init, dispatcher })
}

const untouched: Normalise = (event) => event

const cleaned =
  (request: Fetch, provider: ModelConfig['provider']): Fetch =>
  async (input, init) => {
    const normalise = provider === 'anthropic' ? untouched : normaliseOpenAI(toolsIn(init?.body))
    return cleanResponse(await request(input, init), normalise)
  }

const asked = z.looseObject({
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([])
})
/** Names of the tools that a request offers. */
const toolsIn = (body: unknown): ReadonlySet<string> => {
  const parsed = asked.safeParse(typeof body === 'string' ? readJson(body) : undefined)
  return new Set(parsed.success ? parsed.data.tools.map((tool) => tool.function.name) : [])
}

/** A `fetch` that says what the SDK asks for in the words of Ollama's own address. */
const inOllamasWords =
  (base: URL, window: number, request: Fetch): Fetch =>
  async (_input, init) =>
    fromOllama(
      await request(`${base.origin}/api/chat`, {
        ...init,
        ...(typeof init?.body === 'string' && { body: toOllama(init.body, window) })
      })
    )

/** What Ollama servers have said of their models; a server is asked once, unless it could not be reached. */
class OllamaWindows {
  private readonly known = new Map<string, number | null>()

  async of(base: URL, model: string, request: Fetch): Promise<number | null> {
    const key = `${base.href} ${model}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    try {
      const window = await ollamaWindow(base, model, request)
      this.known.set(key, window)
      return window
    } catch {
      return null
    }
  }
}
