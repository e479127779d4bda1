import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { actions } from '../../../src-main/execution/actions/registry'
import { fieldsOf, isComplete, valuesOf, type Written } from '../../../src-renderer/lib/schema-form'

const schemaOf = (name: string) => {
  const action = actions.find((each) => each.name === name)
  if (action === undefined) throw new Error(`no action ${name}`)
  return z.toJSONSchema(action.params, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>
}
const untouched = (name: string): Record<string, Written> =>
  Object.fromEntries(fieldsOf(schemaOf(name)).map((field) => [field.name, field.initial]))

describe('a form made from the params of an action', () => {
  it('gives nothing for what was left as it is: a toggle that was not touched changes nothing', () => {
    const fields = fieldsOf(schemaOf('pct_set'))
    expect(valuesOf(fields, untouched('pct_set'))).toEqual({})
    expect(valuesOf(fields, { ...untouched('pct_set'), onboot: 'false', cores: '4' })).toEqual({
      onboot: false,
      cores: 4
    })
  })

  it('takes lists line by line and rows field by field', () => {
    const fields = fieldsOf(schemaOf('pct_create'))
    const written = {
      ...untouched('pct_create'),
      tags: 'web\n proxy \n',
      mounts: [{ source: '/srv/media', path: '/media', readOnly: 'true' }]
    }
    expect(isComplete(fields, written)).toBe(true)
    expect(valuesOf(fields, written)).toMatchObject({
      tags: ['web', 'proxy'],
      mounts: [{ source: '/srv/media', path: '/media', readOnly: true }],
      start: true
    })
  })

  it('is not complete while something required is missing, also in a row', () => {
    const clone = fieldsOf(schemaOf('pct_clone'))
    expect(isComplete(clone, untouched('pct_clone'))).toBe(false)
    const create = fieldsOf(schemaOf('pct_create'))
    const half = { ...untouched('pct_create'), mounts: [{ source: '/srv', path: '', readOnly: 'true' }] }
    expect(isComplete(create, half)).toBe(false)
  })

  it.each(actions.map((action) => action.name))(
    '%s: what it begins with is accepted, or named as missing',
    (name) => {
      const action = actions.find((each) => each.name === name)
      const fields = fieldsOf(schemaOf(name))
      const parsed = action?.params.safeParse(valuesOf(fields, untouched(name)))
      const wrong = parsed?.success === false ? parsed.error.issues.flatMap((issue) => issue.path) : []
      const required = fields.filter((field) => field.required).map((field) => field.name)
      expect(wrong.filter((field) => !required.includes(String(field)))).toEqual([])
    }
  )
})
