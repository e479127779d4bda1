import { describe, expect, it } from 'vitest'
import type { Activity } from '../../../src-preload/contract'
import { nowLine } from '../../../src-renderer/lib/activity'
import { verbOf } from '../../../src-renderer/lib/verb'
import { executionView } from '../../support/views'

const doing = (phase: Activity['phase'], different: Partial<Activity> = {}): Activity => ({
  sessionId: 's',
  messageId: 'm',
  phase,
  text: '',
  call: null,
  since: 1000,
  until: null,
  ...different
})
const running = executionView({ state: 'running', startedAt: 5000 })
const at = (now: number) => () => now

describe('what it does now, in one line', () => {
  it.each([
    ['before the first token', doing('thinking'), 'Thinking'],
    ['while words come', doing('answering'), 'Answering'],
    ['while a tool runs', doing('tool', { text: 'Reading logs of caddy' }), 'Reading logs of caddy']
  ])('%s', (_when, activity, text) => {
    expect(nowLine('running', activity, true, [running], at(0))).toEqual({
      tone: 'running',
      text,
      since: 1000,
      executionId: null
    })
  })

  it('F36 counts down while the model’s service is busy, and never below nothing', () => {
    const paused = doing('waiting', { until: 20_000 })
    expect(nowLine('running', paused, false, [], at(1000)).text).toContain('asked again in 0:19')
    expect(nowLine('running', paused, false, [], at(19_999)).text).toContain('0:01')
    expect(nowLine('running', paused, false, [], at(20_001)).text).toMatch(/asking again$/)
  })

  it('says that the model’s service is left alone because it failed, and when it is tried again', () => {
    const resting = doing('resting', { until: 20_000 })
    const line = nowLine('running', resting, false, [], at(1000))
    expect(line).toMatchObject({
      tone: 'failed',
      text: expect.stringContaining('tried again in 0:19') as string
    })
    expect(nowLine('running', resting, false, [], at(20_001)).text).toMatch(/trying it again$/)
  })

  it('says that a decision waits before it says what runs, and leads to what runs', () => {
    expect(nowLine('waiting', null, true, [running], at(0)).text).toBe('Waits for your decision')
    expect(nowLine('idle', null, false, [running, running], at(0))).toMatchObject({
      text: 'Create container typetype (105) on strong and 1 more',
      since: 5000,
      executionId: 'execution-1'
    })
  })

  it('a host that cannot be asked is named, not shown as running', () => {
    const unknown = executionView({ state: 'unknown', startedAt: 1 })
    expect(nowLine('idle', null, false, [unknown], at(0))).toMatchObject({
      tone: 'unsure',
      text: expect.stringContaining('strong cannot be asked now') as string
    })
  })

  it.each([
    ['running', 'Thinking'],
    ['waiting', 'Waits for your word to go on'],
    ['failed', 'The last turn failed'],
    ['idle', 'Ready']
  ] as const)('at rest in a session that is %s', (state, text) => {
    expect(nowLine(state, null, false, [], at(0)).text).toBe(text)
  })
})

it('the button that approves says what will happen', () => {
  expect(verbOf({ action: 'systemctl', params: { verb: 'restart' } })).toBe('Restart service')
  expect(verbOf({ action: 'pct_create', params: {} })).toBe('Create container')
  expect(verbOf({ action: 'something_new', params: {} })).toBe('Approve')
})
