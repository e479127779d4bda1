import type { StorageView } from '../../../src-preload/contract'
import { fail, ok, type Result } from '../../base/result'
import type { ActionWorld } from './action'
import { read } from './guest-state'

const gib = 1024 ** 3

/** Bytes that are free. */
const freeOf = (storage: StorageView): number => Math.max(0, storage.total - storage.used)

const inGib = (bytes: number): string => `${(bytes / gib).toFixed(1)} GiB`

/**
 * The storage for a container's root: the wished one if it can hold it, else the one with the most free space.
 * Errors: `storage_not_found`, `storage_unusable`, `no_space`.
 */
export function pickRootStorage(
  world: ActionWorld,
  node: string,
  wished: string | undefined,
  diskGiB: number
): Result<string> {
  const here = world.fleet.storages().filter((storage) => storage.node === node)
  const usable = here.filter((storage) => storage.active && storage.content.includes('rootdir'))
  const names = usable.map((storage) => storage.name).join(', ')
  const hint =
    usable.length > 0
      ? `Storages for containers on ${node}: ${names}.`
      : `No storage on ${node} holds containers.`
  const byRoom = usable.toSorted((a, b) => freeOf(b) - freeOf(a) || a.name.localeCompare(b.name))
  const storage = wished === undefined ? byRoom[0] : usable.find((each) => each.name === wished)
  if (!storage) {
    const known = wished !== undefined && here.some((each) => each.name === wished)
    return wished === undefined
      ? fail('storage_unusable', `There is no storage for containers on ${node}.`, hint, { node })
      : fail(
          known ? 'storage_unusable' : 'storage_not_found',
          known
            ? `The storage ${wished} on ${node} does not hold containers, or is not active.`
            : `There is no storage ${wished} on ${node}.`,
          hint
        )
  }
  const needed = diskGiB * gib
  if (storage.total > 0 && freeOf(storage) < needed)
    return fail(
      'no_space',
      `The storage ${storage.name} on ${node} has ${inGib(freeOf(storage))} free; ${diskGiB} GiB are needed.`,
      'Take a smaller disk or another storage, or free some space first.',
      { storage: storage.name, node, free: freeOf(storage), neededGiB: diskGiB }
    )
  return ok(storage.name)
}

/** Active storages of a node that hold templates; the one with the most room first. */
export const templateStorages = (world: ActionWorld, node: string): readonly string[] =>
  world.fleet
    .storages()
    .filter((storage) => storage.node === node && storage.active && storage.content.includes('vztmpl'))
    .toSorted((a, b) => freeOf(b) - freeOf(a) || a.name.localeCompare(b.name))
    .map((storage) => storage.name)

/** A template for a container: where it is, or from where it has to be fetched first. */
export interface TemplateChoice {
  /** `local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst` */
  readonly volume: string
  /** It is not there yet: `pveam download STORAGE NAME` comes first. */
  readonly download: { readonly storage: string; readonly name: string } | null
}

const defaultTemplate = /^debian-\d+-standard_/

/**
 * The template that is wished (a volume, a file name or its beginning), or the newest Debian.
 * Errors: `template_not_found`, `storage_unusable`.
 */
export async function pickTemplate(
  world: ActionWorld,
  host: string,
  node: string,
  wished: string | undefined
): Promise<Result<TemplateChoice>> {
  const storages = templateStorages(world, node)
  const [first] = storages
  if (first === undefined)
    return fail(
      'storage_unusable',
      `No storage on ${node} holds templates.`,
      'Allow the content vztmpl on one of them.',
      { node }
    )
  const there: string[] = []
  for (const storage of storages) {
    const listed = await listTemplates(world, host, storage)
    if (!listed.ok) return listed
    there.push(...listed.value)
  }
  const here = there.filter((volume) => fits(nameOfVolume(volume), volume, wished))
  const newest = newestOf(here, nameOfVolume)
  if (newest !== undefined) return ok({ volume: newest, download: null })
  const available = await listAvailable(world, host)
  if (!available.ok) return available
  const offered = available.value.filter((name) =>
    fits(name, `${storageOf(wished) ?? first}:vztmpl/${name}`, wished)
  )
  const name = newestOf(offered, (each) => each)
  const storage = storages.find((each) => each === storageOf(wished)) ?? first
  if (name !== undefined) return ok({ volume: `${storage}:vztmpl/${name}`, download: { storage, name } })
  return fail(
    'template_not_found',
    wished === undefined
      ? `There is no Debian template on ${node}, and none is offered for download.`
      : `There is no template ${wished} on ${node}, and none of that name is offered for download.`,
    there.length > 0
      ? `Templates on ${node}: ${there.join(', ')}.`
      : 'Run pveam update on the host, then try again.',
    { node, template: wished, templates: there }
  )
}

/** Volumes of templates on a storage; `pveam list` prints a heading and aligned columns. */
export async function listTemplates(
  world: ActionWorld,
  host: string,
  storage: string
): Promise<Result<string[]>> {
  const listed = await read(world, host, ['pveam', 'list', storage])
  if (!listed.ok) return listed
  if (listed.value.code !== 0)
    return fail(
      'storage_unusable',
      `The templates of ${storage} cannot be listed: ${listed.value.stderr.trim()}`,
      undefined,
      { storage }
    )
  return ok([...listed.value.stdout.matchAll(/^(\S+:vztmpl\/\S+)/gm)].flatMap((found) => found[1] ?? []))
}

/** Names of templates that can be downloaded; `pveam available` prints a section, the name and maybe more. */
export async function listAvailable(world: ActionWorld, host: string): Promise<Result<string[]>> {
  const listed = await read(world, host, ['pveam', 'available', '--section', 'system'])
  if (!listed.ok) return listed
  return ok(
    [...listed.value.stdout.matchAll(/^\S+\s+(\S+\.tar\.\S+|\S+\.tar)/gm)].flatMap((found) => found[1] ?? [])
  )
}

const nameOfVolume = (volume: string): string => volume.slice(volume.indexOf('/') + 1)
const storageOf = (wished: string | undefined): string | undefined =>
  wished?.includes(':') ? wished.slice(0, wished.indexOf(':')) : undefined

function fits(name: string, volume: string, wished: string | undefined): boolean {
  if (wished === undefined) return defaultTemplate.test(name)
  if (wished.includes(':')) return volume === wished
  return name === wished || name.startsWith(`${wished}_`) || name.startsWith(`${wished}-`)
}

/** Debian 12 before 9: numbers in names are compared as numbers. */
const newestOf = (items: readonly string[], nameOf: (item: string) => string): string | undefined =>
  items.toSorted((a, b) => nameOf(b).localeCompare(nameOf(a), 'en', { numeric: true }))[0]
