import type { AppError, Config, ModelCheckStep, SettingsView } from '@contract'
import type { Client } from './client.svelte'

type ModelConfig = NonNullable<Config['model']>

export interface Provider {
  readonly id: string
  readonly label: string
  readonly provider: ModelConfig['provider']
  readonly baseURL: string
  readonly needsKey: boolean
}

/** Where models are commonly reached; the last one is anything else that speaks the same language. */
export const providers: readonly Provider[] = [
  {
    id: 'openrouter',
    label: 'OpenRouter',
    provider: 'openai-compatible',
    baseURL: 'https://openrouter.ai/api/v1',
    needsKey: true
  },
  {
    id: 'openai',
    label: 'OpenAI',
    provider: 'openai-compatible',
    baseURL: 'https://api.openai.com/v1',
    needsKey: true
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    provider: 'anthropic',
    baseURL: 'https://api.anthropic.com/v1',
    needsKey: true
  },
  {
    id: 'ollama',
    label: 'Ollama',
    provider: 'openai-compatible',
    baseURL: 'http://127.0.0.1:11434/v1',
    needsKey: false
  },
  {
    id: 'lmstudio',
    label: 'LM Studio',
    provider: 'openai-compatible',
    baseURL: 'http://127.0.0.1:1234/v1',
    needsKey: false
  },
  {
    id: 'vllm',
    label: 'vLLM',
    provider: 'openai-compatible',
    baseURL: 'http://127.0.0.1:8000/v1',
    needsKey: false
  },
  {
    id: 'llamacpp',
    label: 'llama.cpp',
    provider: 'openai-compatible',
    baseURL: 'http://127.0.0.1:8080/v1',
    needsKey: false
  },
  { id: 'other', label: '', provider: 'openai-compatible', baseURL: '', needsKey: true }
]

const usualContext = 128_000

const providerOf = (model: ModelConfig | undefined): Provider | undefined =>
  model === undefined
    ? providers[0]
    : (providers.find((some) => some.provider === model.provider && some.baseURL === model.baseURL) ??
      providers.at(-1))

/** The model's settings while they are edited. The key goes to the keychain and is never read back. */
export class ModelForm {
  providerId = $state('')
  baseURL = $state('')
  model = $state('')
  contextWindow = $state(usualContext)
  key = $state('')
  keyRef = $state<string | undefined>(undefined)
  steps = $state.raw<readonly ModelCheckStep[] | null>(null)
  error = $state.raw<AppError | null>(null)
  busy = $state<'none' | 'save' | 'check'>('none')
  saved = $state(false)
  readonly #client: Client

  constructor(client: Client, config: Config) {
    this.#client = client
    const provider = providerOf(config.model)
    this.providerId = provider?.id ?? 'other'
    this.baseURL = config.model?.baseURL ?? provider?.baseURL ?? ''
    this.model = config.model?.model ?? ''
    this.contextWindow = config.model?.contextWindow ?? usualContext
    this.keyRef = config.model?.apiKey
    this.saved = config.model !== undefined
  }

  get provider(): Provider | undefined {
    return providers.find((some) => some.id === this.providerId)
  }

  choose(id: string): void {
    this.providerId = id
    this.baseURL = this.provider?.baseURL ?? ''
    this.keyRef = undefined
    this.touched()
  }

  touched(): void {
    this.saved = false
    this.steps = null
  }

  async save(): Promise<SettingsView | null> {
    this.busy = 'save'
    const settings = await this.#save()
    this.busy = 'none'
    return settings
  }

  async check(): Promise<void> {
    this.busy = 'check'
    this.steps = null
    const reply = await this.#client.request('model.check', {})
    this.busy = 'none'
    this.error = reply.ok ? null : reply.error
    if (reply.ok) this.steps = reply.data
  }

  async #save(): Promise<SettingsView | null> {
    this.error = null
    if (this.key !== '') {
      const name = `${this.providerId}-key`
      const kept = await this.#client.request('secret.set', { name, value: this.key })
      if (!kept.ok) {
        this.error = kept.error
        return null
      }
      this.key = ''
      this.keyRef = `keychain:${name}`
    }
    const reply = await this.#client.request('settings.update', { model: this.#config() })
    this.error = reply.ok ? null : reply.error
    this.saved = reply.ok
    return reply.ok ? reply.data : null
  }

  #config(): ModelConfig {
    const baseURL = this.baseURL.trim()
    return {
      provider: this.provider?.provider ?? 'openai-compatible',
      model: this.model.trim(),
      contextWindow: this.contextWindow,
      ...(baseURL === '' ? {} : { baseURL }),
      ...(this.keyRef === undefined ? {} : { apiKey: this.keyRef })
    }
  }
}
