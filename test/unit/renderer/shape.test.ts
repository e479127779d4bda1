import { describe, expect, it } from 'vitest'
import { shapeOf } from '../../../src-renderer/lib/shape'

describe('the output of a tool is shown as what it is', () => {
  it.each([
    ['rows with plain fields are a table', { lxcs: [{ vmid: 101, name: 'caddy' }] }, 'table'],
    ['lines are a log', ['Dec 01 started', 'Dec 01 failed'], 'log'],
    ['text of several lines is a log', 'one\ntwo', 'log'],
    ['one line is a text', 'done', 'text'],
    ['plain fields are facts', { active: 'failed', restarts: 5, memory: null }, 'fields'],
    ['what is nested deeper is a tree', { a: { b: { c: { d: 1 } }, list: [[1]] } }, 'tree'],
    ['nothing is said to be nothing', {}, 'nothing']
  ])('%s', (_what, value, kind) => expect(shapeOf(value).kind).toBe(kind))

  it('a log with the fields around it is both', () => {
    expect(shapeOf({ target: 'lxc:caddy', lines: ['a', 'b'.repeat(300)], truncated: false })).toEqual({
      kind: 'fields',
      facts: [
        ['target', 'lxc:caddy'],
        ['truncated', 'false']
      ],
      sections: [['lines', ['a', 'b'.repeat(300)]]]
    })
  })
})
