import type { ToolCallState, ToolCallView } from '@contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { blocksOf } from '../../../src-renderer/lib/parts'
import { ToolGroup } from '../../../src-renderer/state/tool-group.svelte'

const call = (n: number, state: ToolCallState, object = `guest ${n}`): ToolCallView => ({
  id: `c${n}`,
  messageId: 'm',
  sessionId: 's',
  name: 'get_lxc_state',
  facts: {},
  sentence: `Reading the state of ${object}`,
  object,
  state,
  startedAt: state === 'pending' ? null : 1_000,
  endedAt: state === 'done' || state === 'failed' ? 32_000 : null,
  error: state === 'failed' ? 'no answer' : null
})

describe('the tool group of a message', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('is collapsed from the start', () => {
    expect(new ToolGroup().open).toBe(false)
  })

  it('shows the active call and counts the ended ones', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'done'), call(2, 'running', 'caddy'), call(3, 'pending')], 'streaming', true)
    expect(group.sentence).toBe('Reading the state of caddy')
    expect([group.done, group.total, group.state]).toEqual([1, 3, 'running'])
  })

  it('names the newest of several and says how many more', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'running'), call(2, 'running'), call(3, 'running', 'caddy')], 'streaming', true)
    expect(group.sentence).toBe('Reading the state of caddy and 2 more')
  })

  it('shows a short ✓ for 600 ms when a call ends', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'running', 'caddy'), call(2, 'running', 'loki')], 'streaming', true)
    group.watch([call(1, 'done', 'caddy'), call(2, 'running', 'loki')], 'streaming', true)
    expect(group.sentence).toBe('✓ caddy')
    vi.advanceTimersByTime(600)
    expect(group.sentence).toBe('Reading the state of loki')
  })

  it('lets the next call take the place of the ✓', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'running', 'caddy'), call(2, 'pending', 'loki')], 'streaming', true)
    group.watch([call(1, 'done', 'caddy'), call(2, 'pending', 'loki')], 'streaming', true)
    group.watch([call(1, 'done', 'caddy'), call(2, 'running', 'loki')], 'streaming', true)
    expect(group.sentence).toBe('Reading the state of loki')
  })

  it('counts as running while the message may still call', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'done')], 'streaming', true)
    expect(group.state).toBe('running')
    group.watch([call(1, 'done')], 'streaming', false)
    expect(group.state).toBe('done')
  })

  it('sums up what was done', () => {
    const group = new ToolGroup()
    group.watch(
      Array.from({ length: 40 }, (_, n) => call(n, 'done')),
      'done',
      true
    )
    expect(group.sentence).toBe('40 steps in 0:31')
    expect(group.glyph).toBe('done')
  })

  it('tells a failed call in the header', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'done'), call(2, 'failed', 'caddy')], 'done', false)
    expect(group.sentence).toBe('1 of 2 failed: Reading the state of caddy')
    expect([group.state, group.glyph]).toEqual(['failed', 'failed'])
  })

  it('never shows an interrupted call as done', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'running', 'caddy')], 'streaming', true)
    group.watch([call(1, 'interrupted', 'caddy')], 'error', true)
    expect(group.sentence).toBe('stopped at 0 of 1')
    expect([group.state, group.glyph]).toEqual(['failed', 'stopped'])
  })

  it('shows no ✓ for calls of the past', () => {
    const group = new ToolGroup()
    group.watch([call(1, 'done', 'caddy'), call(2, 'running', 'loki')], 'streaming', true)
    expect(group.sentence).toBe('Reading the state of loki')
  })
})

describe('the parts of a message', () => {
  it('puts all tool calls into one group, where the first one came', () => {
    const blocks = blocksOf([
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'a' },
      { type: 'text', text: 'And again.' },
      { type: 'tool_call', id: 'b' },
      { type: 'approval', id: 'e' }
    ])
    expect(blocks.map((block) => block.kind)).toEqual(['text', 'tools', 'text', 'approval'])
    expect(blocks[1]).toMatchObject({ ids: ['a', 'b'] })
  })
})
