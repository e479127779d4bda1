import type { Config } from '@contract'
import { recall, remember } from './remember'

const key = 'host-draft'

/** What was entered of a host before it was left; secrets are not in it. */
export interface HostDraft extends Pick<
  Config['hosts'][number],
  'name' | 'address' | 'port' | 'user' | 'sudo'
> {
  readonly identity: string
  readonly keyFile: string
  readonly keychainName: string | null
  readonly publicKey: string | null
}

export const keepHostDraft = (draft: HostDraft): void => remember(key, JSON.stringify(draft))

export const forgetHostDraft = (): void => remember(key, '')

/** The fields that are there and of their kind; what another version wrote otherwise is passed over. */
export function hostDraft(usual: HostDraft): HostDraft {
  const kept = parsed(recall(key))
  const fields = Object.entries(usual).map(([name, value]) => {
    const was = kept[name]
    const fits = typeof was === typeof value || (value === null && typeof was === 'string')
    return [name, fits ? was : value] as const
  })
  return Object.fromEntries(fields) as unknown as HostDraft
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
