import type { Config, ModelChoice, SettingsView } from '../../src-preload/contract'
import { messageOf } from '../base/result'
import type { Services } from './services'

type Sources = Pick<Services, 'config' | 'secrets' | 'lab' | 'modelLabel'>

/** Everything the settings page shows; secrets by name only. */
export async function settingsView({ config, secrets, lab, modelLabel }: Sources): Promise<SettingsView> {
  const secretsState = await secrets.state()
  const label = modelLabel()
  return {
    config: config.get(),
    configPath: config.path,
    problems: config.problems(),
    secrets: secretsState,
    labRunning: lab.running,
    model: label,
    models: modelChoices(config.get(), label)
  }
}

const modelChoices = ({ model, models }: Config, label: string | null): ModelChoice[] => [
  ...(model && label !== null ? [{ name: null, label, contextWindow: model.contextWindow }] : []),
  ...models.map(({ name, model: inUse, contextWindow }) => ({ name, label: inUse, contextWindow }))
]

/** Tells the windows what the settings are now. */
export async function announceSettings(services: Services): Promise<SettingsView> {
  const settings = await settingsView(services)
  services.store.announce({ type: 'settings.changed', settings })
  return settings
}

/**
 * Tells the windows of every change of the configuration, such as an edit of the file by hand.
 * The returned function ends that, and resolves when nothing more is asked.
 */
export function watchSettings(services: Services): () => Promise<void> {
  let told: Promise<unknown> = Promise.resolve()
  const stop = services.config.onChange(() => {
    told = Promise.all([told, announceSettings(services)]).catch((error: unknown) =>
      services.log.log('error', 'ipc', 'the settings could not be shown', { error: messageOf(error) })
    )
  })
  return async () => {
    stop()
    await told
  }
}
