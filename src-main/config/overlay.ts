import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../src-preload/contract'
import type { ConfigService } from './port'

/** A configuration with a layer over it that is never written to the file. */
export interface OverlaidConfig extends ConfigService {
  /** Tells the listeners that the layer came, went or changed. */
  refresh(): void
}

/**
 * The file's configuration with `layer` over it: the layer's hosts are added (and win by name),
 * its other fields stand in for the file's. Updates go to the file, without what belongs to the layer.
 */
export function overlay(config: ConfigService, layer: () => Partial<Config> | null): OverlaidConfig {
  const listeners = new Set<(config: Config) => void>()

  const inForce = (): Config => {
    const over = layer()
    if (over === null) return config.get()
    const names = new Set(over.hosts?.map((host) => host.name))
    const hosts = [...config.get().hosts.filter((host) => !names.has(host.name)), ...(over.hosts ?? [])]
    return { ...config.get(), ...over, hosts }
  }

  /** The part of a patch that is meant for the file. */
  const forFile = (patch: Partial<Config>): Partial<Config> => {
    const over = layer()
    if (over === null) return patch
    const own = Object.entries(patch).filter(
      ([name, value]) =>
        name === 'hosts' || !(name in over) || !isDeepStrictEqual(value, over[name as keyof Config])
    )
    const result: Partial<Config> = Object.fromEntries(own)
    if (patch.hosts === undefined || over.hosts === undefined) return result
    const names = new Set(over.hosts.map((host) => host.name))
    const hidden = config.get().hosts.filter((host) => names.has(host.name))
    return { ...result, hosts: [...patch.hosts.filter((host) => !names.has(host.name)), ...hidden] }
  }

  const refresh = () => {
    const now = inForce()
    for (const listener of [...listeners]) listener(now)
  }
  config.onChange(refresh)

  return {
    path: config.path,
    get: inForce,
    problems: () => config.problems(),
    update(patch) {
      const written = config.update(forFile(patch))
      return written.ok ? { ok: true, value: inForce() } : written
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh
  }
}
