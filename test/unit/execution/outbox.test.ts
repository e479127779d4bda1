import { describe, expect, it } from 'vitest'
import { resultNote } from '../../../src-main/execution/outbox'
import { executionView, planView } from '../../support/views'

const long = `${'head '.repeat(400)}${'tail '.repeat(400)}`

describe('what the agent is told of a result', () => {
  it('names what ran and how it ended', () => {
    const verified = executionView({ verification: { ok: true, summary: 'typetype runs.' } })
    expect(resultNote(verified, 'succeeded', null, 'extracting archive')).toBe(
      'execution execution-1 (pct_create lxc:typetype@strong) succeeded: typetype runs.'
    )
  })

  it('holds what a free command printed, and what any action printed that failed', () => {
    const free = executionView({ action: 'pct_exec', target: 'lxc:caddy' })
    expect(resultNote(free, 'succeeded', null, '── run ──\nValid configuration\n')).toBe(
      'execution execution-1 (pct_exec lxc:caddy) succeeded\nOutput:\nValid configuration'
    )
    const error = { code: 'command_failed', message: 'It ended with exit code 1.', hint: 'Read the output.' }
    expect(resultNote(executionView({ error }), 'failed', null, 'no such volume')).toBe(
      'execution execution-1 (pct_create lxc:typetype@strong) failed: It ended with exit code 1. Read the output.\n' +
        'Output:\nno such volume'
    )
  })

  it('cuts a long output in the middle and says so, and keeps secrets out', () => {
    const note = resultNote(
      executionView({ action: 'run' }),
      'failed',
      null,
      `${long}password=hunter2-hunter2`
    )
    expect(note.length).toBeLessThan(2800)
    expect(note).toMatch(
      /Output:\nhead [\s\S]*characters left out; get_execution_status has more[\s\S]*tail /
    )
    expect(note).not.toContain('hunter2')
  })

  it('says which step of the plan comes next, or what waits for it', () => {
    const { steps, ...shown } = planView()
    const plan = { ...shown, steps: steps.map((each, at) => ({ ...each, index: at + 1 })) }
    const step = executionView({ planId: plan.id, planStep: 1 })
    expect(resultNote(step, 'succeeded', plan, '')).toContain(`Next in plan ${plan.id}: step 2, `)
    expect(resultNote(step, 'failed', plan, '')).toContain('its later steps wait for step 1')
    expect(resultNote({ ...step, planStep: 2 }, 'succeeded', plan, '')).toContain('That was the last step')
  })
})
