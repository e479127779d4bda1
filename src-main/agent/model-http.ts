import { Agent, fetch as undiciFetch } from 'undici'
import type { ModelConfig } from '../../src-preload/contract'
import type { HttpTimeouts } from './providers'
import { cleanResponse, normaliseOpenAI, type Normalise } from './sse'

/** The HTTP client that models are asked with. */
export interface ModelHttp {
  /** A `fetch` for a provider's SDK; `local`: the model is on the own network and may have to load first. */
  fetchFor(provider: ModelConfig['provider'], local: boolean): typeof globalThis.fetch
  /** Ends what is under way. */
  close(): Promise<void>
}

export function createModelHttp(timeouts: HttpTimeouts): ModelHttp {
  const agentFor = (headersTimeout: number) =>
    new Agent({ connect: { timeout: timeouts.connect }, headersTimeout, bodyTimeout: timeouts.betweenChunks })
  const agents = { local: agentFor(timeouts.headersLocal), remote: agentFor(timeouts.headers) }
  return {
    fetchFor: (provider, local) => fetchOver(local ? agents.local : agents.remote, provider),
    async close() {
      await Promise.all([agents.local.destroy(), agents.remote.destroy()])
    }
  }
}

const untouched: Normalise = (event) => event

/** A `fetch` over one undici agent, whose answers are cleaned before the SDK reads them. */
function fetchOver(dispatcher: Agent, provider: ModelConfig['provider']): typeof globalThis.fetch {
  const normalise = provider === 'anthropic' ? untouched : normaliseOpenAI
  // undici's types and those of the platform describe the same objects, but do not know of each other.
  const request = undiciFetch as unknown as (
    input: Parameters<typeof globalThis.fetch>[0],
    init: Omit<RequestInit, 'dispatcher'> & { dispatcher: Agent }
  ) => Promise<Response>
  return async (input, init) => cleanResponse(await request(input, { ...init, dispatcher }), normalise)
}
