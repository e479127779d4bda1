import type { NodeChoices, TargetDetail } from '@contract'
import { bytes } from '../lib/format'
import { t } from '../lib/text'
import type { Client } from './client.svelte'
import { Reading } from './reading.svelte'
import type { Store } from './store.svelte'

export interface Choice {
  readonly value: string
  readonly label: string
}

export interface ChoiceGroup {
  /** Empty where there is only one. */
  readonly label: string
  readonly choices: readonly Choice[]
}

const asChoices = (values: readonly string[]): ChoiceGroup[] => [
  { label: '', choices: values.map((value) => ({ value, label: value })) }
]

/** Fields of actions for which there is something to choose from, and what an action's `storage` has to hold. */
const chosenFields = ['storage', 'template', 'bridge', 'snapshot', 'disk'] as const
type ChosenField = (typeof chosenFields)[number]
const storageContent: Readonly<Record<string, string>> = { template_download: 'vztmpl' }

/** Where the present value of a field of `pct_set` stands in a container's configuration. */
const configKeys: Readonly<Record<string, string>> = {
  hostname: 'hostname',
  cores: 'cores',
  memoryMiB: 'memory',
  swapMiB: 'swap',
  tags: 'tags',
  nameserver: 'nameserver'
}

/** What a form offers for an action on one target: storages, templates, bridges, snapshots, disks, services. */
export class ActionChoices {
  readonly #store: Store
  readonly #action: string
  readonly #host: string | null
  readonly #node: Reading<NodeChoices>
  readonly #snapshots
  readonly #services
  readonly #detail: Reading<TargetDetail>
  readonly #target: string | null

  constructor(
    client: Client,
    store: Store,
    of: { readonly action: string; readonly target: string | null; readonly host: string | null }
  ) {
    this.#store = store
    this.#action = of.action
    this.#host = of.host
    this.#target = of.target
    const target = of.target ?? ''
    this.#node = new Reading(() => client.request('node.choices', { host: of.host ?? '' }))
    this.#snapshots = new Reading(() => client.request('target.snapshots', { target }))
    this.#services = new Reading(() => client.request('target.services', { target }))
    this.#detail = new Reading(() => client.request('target.detail', { target }))
  }

  /** Reads what the fields need; nothing for a field that has to be written. */
  prepare(fields: readonly string[]): void {
    const has = (...names: readonly string[]) => names.some((name) => fields.includes(name))
    if (this.#host !== null && has('template', 'bridge')) void this.#node.first()
    if (this.#target === null) return
    if (has('snapshot')) void this.#snapshots.first()
    if (has('unit', 'service')) void this.#services.first()
    if (has('disk') || this.#action === 'pct_set') void this.#detail.first()
  }

  /** Null: the field is written by hand, also when what could be chosen cannot be read. */
  of(field: string): readonly ChoiceGroup[] | null {
    const groups = (chosenFields as readonly string[]).includes(field)
      ? this.#groups(field as ChosenField)
      : null
    return groups === null || groups.every((group) => group.choices.length === 0) ? null : groups
  }

  isLoading(field: string): boolean {
    if (field === 'template' || field === 'bridge') return this.#node.loading
    if (field === 'snapshot') return this.#snapshots.loading
    return field === 'disk' && this.#detail.loading
  }

  /** Offered while writing, without being the only possibilities. */
  suggestionsFor(field: string): readonly string[] {
    if (field !== 'unit' && field !== 'service') return []
    return this.#services.value?.map((service) => service.name) ?? []
  }

  /** What is so now, where the action changes it. */
  present(field: string): string {
    const key = this.#action === 'pct_set' ? configKeys[field] : undefined
    const detail = this.#detail.value
    return key !== undefined && detail?.kind === 'guest' ? (detail.config[key] ?? '') : ''
  }

  #groups(field: ChosenField): readonly ChoiceGroup[] | null {
    switch (field) {
      case 'storage':
        return this.#storages()
      case 'template':
        return this.#templates()
      case 'bridge':
        return asChoices(this.#node.value?.bridges ?? [])
      case 'snapshot':
        return asChoices(this.#snapshots.value?.map((snapshot) => snapshot.name).toReversed() ?? [])
      case 'disk':
        return this.#disks()
    }
  }

  #storages(): ChoiceGroup[] {
    const content = storageContent[this.#action] ?? 'rootdir'
    const storages = this.#store.fleet.storages
      .filter((each) => each.host === this.#host && each.active && each.content.includes(content))
      .toSorted((a, b) => b.total - b.used - (a.total - a.used))
    return [
      {
        label: '',
        choices: storages.map((each) => ({
          value: each.name,
          label: `${each.name}, ${t.fleet.free(bytes(Math.max(0, each.total - each.used)))}`
        }))
      }
    ]
  }

  #templates(): ChoiceGroup[] {
    const all = this.#node.value?.templates ?? []
    const group = (label: string, here: boolean): ChoiceGroup => ({
      label,
      choices: all
        .filter((each) => each.here === here)
        .map((each) => ({ value: each.value, label: nameOfTemplate(each.name) }))
    })
    const toFetch = group(t.fleet.templatesToFetch, false)
    // To be downloaded: the present ones are no choice.
    const groups =
      this.#action === 'template_download' ? [toFetch] : [group(t.fleet.templatesHere, true), toFetch]
    return groups.filter(({ choices }) => choices.length > 0)
  }

  #disks(): ChoiceGroup[] {
    const detail = this.#detail.value
    if (detail?.kind !== 'guest') return asChoices([])
    return [
      {
        label: '',
        choices: Object.entries(detail.config)
          .filter(([key, value]) => /^(rootfs|mp\d+)$/.test(key) && !value.startsWith('/'))
          .map(([key, value]) => ({ value: key, label: `${key}, ${/size=([^,]+)/.exec(value)?.[1] ?? '?'}` }))
          .sort((a, b) => Number(b.value === 'rootfs') - Number(a.value === 'rootfs'))
      }
    ]
  }
}

/** `debian-12-standard_12.7-1_amd64.tar.zst` → `debian-12-standard 12.7-1`. */
const nameOfTemplate = (name: string): string => {
  const [title = name, version] = name.split('_')
  return version === undefined ? title : `${title} ${version}`
}
