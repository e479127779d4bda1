import type { SettingsView } from '../../../src-preload/contract'
import { modelUnknown } from '../../agent/providers'
import { ok, type Result } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'
import { announceSettings, settingsView } from '../settings-view'

/** Longest check of a model: five requests to a slow local one. Milliseconds. */
const modelCheckMs = 300_000

/** Settings, secrets, the model and the lab. Each change answers with the settings as they are then. */
export function settingsHandlers(services: Services): Group<'settings' | 'secret' | 'model' | 'lab'> {
  const { config, secrets, keys, lab, doctor, agent } = services
  const settingsAfter = async (change: Result<unknown>): Promise<Result<SettingsView>> =>
    change.ok ? ok(await announceSettings(services)) : change

  return {
    'settings.get': async () => ok(await settingsView(services)),
    // The configuration announces its own changes.
    'settings.update': async (patch) => {
      const updated = config.update(patch)
      return updated.ok ? ok(await settingsView(services)) : updated
    },
    'secret.set': async ({ name, value }) => settingsAfter(await secrets.set(name, value)),
    'secret.delete': async ({ name }) => settingsAfter(await secrets.delete(name)),
    'secret.check': ({ name }) => keys.check(name),
    'secret.retry': async () => {
      await secrets.retry()
      return ok(await announceSettings(services))
    },
    'model.check': async ({ name }) => ok([...(await doctor.check(name, AbortSignal.timeout(modelCheckMs)))]),
    'model.rename': async ({ from, to }) => {
      const { models } = config.get()
      if (!models.some(({ name }) => name === from)) return modelUnknown(from)
      const renamed = config.update({
        models: models.map((model) => (model.name === from ? { ...model, name: to } : model))
      })
      if (!renamed.ok) return renamed
      agent.followRename(from, to)
      return ok(await settingsView(services))
    },
    'lab.start': async () => settingsAfter(await lab.start()),
    'lab.stop': async () => settingsAfter(await lab.stop())
  }
}
