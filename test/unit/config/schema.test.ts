import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configJsonSchema } from '../../../src-main/config/schema'

const shipped = new URL('../../../resources/nomos.config.schema.json', import.meta.url)

it('the JSON schema that is shipped is the one of the configuration', async () => {
  await expect(JSON.stringify(configJsonSchema(), null, 2) + '\n').toMatchFileSnapshot(shipped.pathname)
})

it('every field of the configuration is described', () => {
  const undescribed: string[] = []
  const look = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    if ('properties' in node)
      for (const [name, child] of Object.entries(node.properties as Record<string, object>)) {
        if (!('description' in child)) undescribed.push(`${path}.${name}`)
        look(child, `${path}.${name}`)
      }
    for (const key of ['items', 'additionalProperties'] as const)
      if (key in node) look(Reflect.get(node, key), path)
    if ('anyOf' in node) for (const alternative of node.anyOf as object[]) look(alternative, path)
  }
  look(JSON.parse(readFileSync(shipped, 'utf8')), '')
  expect(undescribed).toEqual([])
})
