import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDefinitions } from '../../../src-main/mcp/external/definition'
import { launchHash, launchOf } from '../../../src-main/mcp/external/launch'
import { boundedSchema } from '../../../src-main/mcp/external/schema'

const nested = (depth: number): unknown => JSON.parse('{"items":'.repeat(depth) + '{}' + '}'.repeat(depth))
const record = (value: unknown) => value as Record<string, unknown>

describe('the definition of an external tool', () => {
  it('B38: any JSON as a schema gives a bounded one for an object, without references and patterns', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (raw) => {
        const schema = boundedSchema(raw)
        expect(schema.type).toBe('object')
        expect(JSON.stringify(schema).length).toBeLessThanOrEqual(16 * 1024)
        expect(JSON.stringify(schema)).not.toMatch(/"\$ref"|"pattern/)
      })
    )
  })

  it('B38: a schema that doubles with each reference, or is nested without an end, stays small', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `d${index}`,
        { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] }
      ])
    )
    expect(JSON.stringify(boundedSchema({ $ref: '#/$defs/d0', $defs })).length).toBeLessThan(16 * 1024)
    expect(JSON.stringify(boundedSchema(record(nested(500)))).length).toBeLessThan(300)
    const [deep] = readDefinitions('s', [{ name: 'deep', inputSchema: nested(200_000) }])
    expect(deep?.problem).toMatch(/cannot be read|characters/)
  })

  it('does not depend on the order of fields, and does on every value', () => {
    const hash = (tool: object) =>
      readDefinitions('s', [{ name: 'a', inputSchema: { type: 'object' }, ...tool }])[0]?.hash
    expect(hash({ inputSchema: { type: 'object', title: 'x' } })).toBe(
      hash({ inputSchema: { title: 'x', type: 'object' } })
    )
    const others = [
      { description: 'x' },
      { name: 'b' },
      { outputSchema: {} },
      { annotations: {} },
      { inputSchema: { __proto__x: 1 } }
    ]
    expect(new Set([hash({}), ...others.map(hash)]).size).toBe(6)
    const polluting = JSON.parse('{"inputSchema":{"type":"object","__proto__":{"x":1}}}') as object
    expect(hash(polluting)).not.toBe(hash({}))
  })

  it('the confirmation of a launch holds for exactly this command, its arguments and variables', () => {
    const hash = (command: string, args: string[], env = {}) => launchHash(launchOf({ command, args, env }))
    const launches = [
      hash('npx', ['a b']),
      hash('npx', ['a', 'b']),
      hash('npx a', ['b']),
      hash('npx', ['a b'], { X: '' }),
      launchHash(launchOf({ url: 'http://a/' })),
      launchHash(launchOf({ url: 'http://a/', token: 'env:X' }))
    ]
    expect(new Set(launches).size).toBe(launches.length)
    expect(hash('npx', ['a b'])).toBe(launches[0])
  })
})
