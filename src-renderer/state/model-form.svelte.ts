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

/** A further model that is not saved yet. No model can have this name: names have no spaces at their ends. */
export const newModel = ' new '
/** Which model is edited: null for the default one, else its name. */
export type ModelSlot = string | null

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
  name = $state('')
  /** Where the model is now: a further one is renamed by saving it under another name, and sessions follow. */
  slot: ModelSlot
  readonly #client: Client
  readonly #config: () => Config

  constructor(client: Client, config: () => Config, slot: ModelSlot) {
    this.#client = client
    this.#config = config
    this.slot = slot
    const { model: usual, models } = config()
    const known = slot === null ? usual : models.find((some) => some.name === slot)
    const provider = providerOf(known)
    this.name = slot === null || slot === newModel ? '' : slot
    this.providerId = provider?.id ?? 'other'
    this.baseURL = known?.baseURL ?? provider?.baseURL ?? ''
    this.model = known?.model ?? ''
    this.contextWindow = known?.contextWindow ?? usualContext
    this.keyRef = known?.apiKey
    this.saved = known !== undefined
  }

  get complete(): boolean {
    return this.model.trim() !== '' && (this.slot === null || this.name.trim() !== '')
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
    const reply = await this.#client.request('model.check', { name: this.slot })
    this.busy = 'none'
    this.error = reply.ok ? null : reply.error
    if (reply.ok) this.steps = reply.data
  }

  async #save(): Promise<SettingsView | null> {
    this.error = null
    if (this.key !== '') {
      const name = this.slot === null ? `${this.providerId}-key` : `model-${keyName(this.name)}-key`
      const kept = await this.#client.request('secret.set', { name, value: this.key })
      if (!kept.ok) {
        this.error = kept.error
        return null
      }
      this.key = ''
      this.keyRef = `keychain:${name}`
    }
    const name = this.name.trim()
    let { models } = this.#config()
    if (this.slot !== null && this.slot !== newModel && name !== this.slot) {
      const renamed = await this.#client.request('model.rename', { from: this.slot, to: name })
      if (!renamed.ok) {
        this.error = renamed.error
        return null
      }
      this.slot = name
      models = renamed.data.config.models
    }
    const settings = await this.#write(
      this.slot === null
        ? { model: this.#model() }
        : { models: this.#models(models, { ...this.#model(), name }) }
    )
    this.saved = settings !== null
    if (settings !== null && this.slot !== null) this.slot = name
    return settings
  }

  /** Takes a further model out of the settings; sessions that chose it say so. */
  async remove(): Promise<SettingsView | null> {
    return await this.#write({ models: this.#config().models.filter((some) => some.name !== this.slot) })
  }

  async #write(change: Partial<Config>): Promise<SettingsView | null> {
    const reply = await this.#client.request('settings.update', change)
    this.error = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }

  /** The further models with this one in its place. */
  #models(models: Config['models'], model: Config['models'][number]): Config['models'] {
    return this.slot === newModel
      ? [...models, model]
      : models.map((some) => (some.name === this.slot ? model : some))
  }

  #model(): ModelConfig {
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

/** A model's name as the keychain takes it. */
const keyName = (name: string): string =>
  name
    .trim()
    .replace(/[^A-Za-z0-9_.@-]/g, '-')
    .slice(0, 64)
