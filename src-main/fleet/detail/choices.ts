import { z } from 'zod'
import type { NodeChoices, TemplateOffer } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Fleet } from '../port'
import { listContent } from './content'
import { nodePath, rows } from './paths'

/** `/nodes/N/network?type=any_bridge`. */
const bridge = z.object({ iface: z.string().min(1), type: z.string().catch('') })
/** `/nodes/N/aplinfo`: what can be downloaded. */
const offer = z.object({ template: z.string().min(1), section: z.string().catch('') })

/**
 * What a node offers for a new container: templates that are there or can be fetched, and bridges. What cannot be read
 * is left out; the reasons are told.
 */
export async function nodeChoices(fleet: Fleet, host: string, node: string): Promise<Result<NodeChoices>> {
  const places = fleet
    .storages()
    .filter((each) => each.node === node && each.active && each.content.includes('vztmpl'))
  const [stored, offered, network] = await Promise.all([
    Promise.all(places.map((each) => listContent(fleet, { host, node, storage: each.name }, 'vztmpl'))),
    fleet.pvesh(host, `${nodePath(node)}/aplinfo`),
    fleet.pvesh(host, `${nodePath(node)}/network`)
  ])
  const answers = [...stored, offered, network]
  const failed = answers.filter((answer) => !answer.ok)
  const [first] = failed
  if (first && failed.length === answers.length) return first
  const there: TemplateOffer[] = stored
    .flatMap((answer) => (answer.ok ? answer.value : []))
    .map(({ volid, size }) => ({ value: volid, name: volid.slice(volid.indexOf('/') + 1), here: true, size }))
  const names = new Set(there.map(({ name }) => name))
  const toFetch: TemplateOffer[] = (offered.ok ? rows(offer, offered.value) : [])
    .filter(({ template, section }) => section === 'system' && !names.has(template))
    .map(({ template }) => ({ value: template, name: template, here: false, size: null }))
  return ok({
    templates: [...byName(there), ...byName(toFetch)],
    bridges: (network.ok ? rows(bridge, network.value) : [])
      .filter(({ type }) => /bridge/i.test(type))
      .map(({ iface }) => iface)
      .sort(),
    problems: failed.map(({ error }) => error.message)
  })
}

const byName = (offers: readonly TemplateOffer[]): TemplateOffer[] =>
  offers.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
