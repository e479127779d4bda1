import type { LanguageModelV3 } from '@ai-sdk/provider'
import { goesUnencrypted, isPrivateHost, type ModelConfig } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import type { Secrets } from '../secrets/port'
import { Breaker, type BreakerRules } from './breaker'
import type { ModelHttp } from './model-http'
import type { ModelSource } from './ports'

/** Milliseconds for one HTTP request; `headers` is longer for a model on the own network, which may have to load. */
export interface HttpTimeouts {
  readonly connect: number
  readonly headers: number
  readonly headersLocal: number
  readonly betweenChunks: number
}
export const httpTimeouts: HttpTimeouts = {
  connect: 10_000,
  headers: 60_000,
  headersLocal: 300_000,
  betweenChunks: 90_000
}

export interface ModelSourceDeps {
  /** The model of that name in the configuration in force, or the default one; the lab's included. */
  readonly modelConfig: (name: string | null) => ModelConfig | undefined
  readonly secrets: Pick<Secrets, 'resolve'>
  readonly timeouts?: HttpTimeouts
  readonly breakerRules?: BreakerRules
}

/** The configured model over undici; reads configuration and key anew at the start of each turn. */
export function createModelSource(deps: ModelSourceDeps): ModelSource & { close(): Promise<void> } {
  const timeouts = deps.timeouts ?? httpTimeouts
  let http: ModelHttp | null = null
  const breakers = new Map<string, Breaker>()
  const breakerOf = ({ href }: URL): Breaker => {
    const known = breakers.get(href) ?? new Breaker(deps.breakerRules)
    breakers.set(href, known)
    return known
  }

  return {
    async current(name) {
      const config = deps.modelConfig(name)
      if (!config) return name === null ? noModel() : modelUnknown(name)
      const key = await keyOf(config, deps.secrets)
      if (!key.ok) return key
      const base = new URL(config.baseURL ?? defaultBase[config.provider])
      const local = isPrivateHost(base.hostname)
      if (key.value !== null && goesUnencrypted(base.href))
        return fail(
          'model_url_insecure',
          `The API key would go to ${base.hostname} unencrypted, so nothing was sent.`,
          'Use an https address in the settings.'
        )
      const { createModelHttp } = await import('./model-http')
      http ??= createModelHttp(timeouts)
      const { fetch, contextWindow } = await http.wayTo(config, base, local)
      const model = await build(config, base, key.value, fetch)
      return ok({
        ...{ model, label: config.model, contextWindow, breaker: breakerOf(base) },
        warning: goesUnencrypted(base.href) ? unencrypted(base.hostname) : null
      })
    },
    has: (name) => deps.modelConfig(name) !== undefined,
    async close() {
      await http?.close()
    }
  }
}

const noModel = () =>
  fail(
    'model_not_configured',
    'No model is set up yet.',
    'Choose a provider and a model in the settings, or explore the lab.'
  )

/** Nothing is sent to another model than the one that was chosen. */
export const modelUnknown = (name: string) =>
  fail(
    'model_unknown',
    `The model “${name}” is not set up any more, so nothing was sent.`,
    'Go on with the default model, choose another one at the head of this conversation, or set this one up in the settings.',
    { name }
  )

const defaultBase = {
  'openai-compatible': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1'
} as const

async function keyOf(config: ModelConfig, secrets: Pick<Secrets, 'resolve'>): Promise<Result<string | null>> {
  if (config.apiKey === undefined) return ok(null)
  const secret = await secrets.resolve(config.apiKey)
  if (!secret.ok) return secret
  const key = secret.value.trim()
  if (!/^[\x21-\x7e]+$/.test(key))
    return fail(
      'model_key_invalid',
      'The API key has spaces, line breaks or letters that no key has, so nothing was sent.',
      'Copy the key again and set it in the settings.'
    )
  return ok(key)
}

/** The provider's SDK, like the HTTP client, is read when it is needed first, so that the app starts without it. */
async function build(
  config: ModelConfig,
  base: URL,
  key: string | null,
  fetch: typeof globalThis.fetch
): Promise<LanguageModelV3> {
  const baseURL = base.href.replace(/\/$/, '')
  if (config.provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, apiKey: key ?? 'none', fetch })(config.model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'model',
    baseURL,
    includeUsage: true,
    ...(key !== null && { apiKey: key }),
    fetch
  }).chatModel(config.model)
}

const unencrypted = (host: string): string =>
  `Everything that is said goes to ${host} unencrypted, over networks that are not yours. Use an https address.`
