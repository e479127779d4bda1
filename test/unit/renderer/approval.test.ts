import type { ApprovalView, Bridge } from '@contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApprovalForm } from '../../../src-renderer/state/approval.svelte'
import { Client } from '../../../src-renderer/state/client.svelte'

const approval: ApprovalView = {
  id: 'a',
  subject: { kind: 'execution', id: 'e' },
  sessionId: 's',
  hash: 'hash-of-what-is-shown',
  risk: 'destructive',
  state: 'awaiting_approval',
  rule: 'destructive actions always ask',
  ruleSaid: [],
  requestedAt: 0,
  expiresAt: Number.MAX_SAFE_INTEGER,
  decidedAt: null,
  route: null,
  reason: null,
  confirmName: 'typetype'
}

function form() {
  const request = vi.fn(() => Promise.resolve({ ok: true, data: { ...approval, state: 'approved' } }))
  const bridge = { request, onEvent: () => () => undefined, platform: 'linux' } as unknown as Bridge
  const made = new ApprovalForm(new Client(bridge))
  made.appear()
  return { form: made, request }
}

describe('an approval card', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  const ready = () => {
    const made = form()
    vi.advanceTimersByTime(400)
    made.form.markRead(approval.hash)
    made.form.typedName = 'typetype'
    return made
  }

  it('ignores a key that is pressed within 400 ms of its appearing', async () => {
    const { form: made, request } = form()
    made.markRead(approval.hash)
    made.typedName = 'typetype'
    vi.advanceTimersByTime(399)
    await made.approve(approval, 'chat')
    await made.deny(approval, 'chat')
    expect(request).not.toHaveBeenCalled()
  })

  it('waits until all commands were in view', () => {
    const { form: made } = form()
    vi.advanceTimersByTime(400)
    made.typedName = 'typetype'
    expect(made.canApprove(approval, 0)).toBe(false)
    made.markRead(approval.hash)
    expect(made.canApprove(approval, 0)).toBe(true)
  })

  it('asks for another look when what would run has changed', () => {
    const { form: made } = ready()
    expect(made.canApprove({ ...approval, hash: 'another' }, 0)).toBe(false)
  })

  it('waits for the exact name of what is destroyed', () => {
    const { form: made } = ready()
    made.typedName = 'typetyp'
    expect(made.canApprove(approval, 0)).toBe(false)
    made.typedName = 'typetype'
    expect(made.canApprove(approval, 0)).toBe(true)
  })

  it('cannot be approved after it expired', () => {
    const { form: made } = ready()
    expect(made.canApprove({ ...approval, expiresAt: 10 }, 10)).toBe(false)
  })

  it('sends the hash of what is shown', async () => {
    const { form: made, request } = ready()
    await made.approve(approval, 'chat')
    expect(request).toHaveBeenCalledWith('approval.decide', {
      id: 'a',
      hash: 'hash-of-what-is-shown',
      decision: 'approve',
      route: 'chat',
      confirmName: 'typetype'
    })
  })

  it('denies with the reason that was given', async () => {
    const { form: made, request } = ready()
    made.reason = ' use calm instead '
    await made.deny(approval, 'chat')
    expect(request).toHaveBeenCalledWith('approval.decide', {
      id: 'a',
      hash: 'hash-of-what-is-shown',
      decision: 'deny',
      route: 'chat',
      reason: 'use calm instead'
    })
  })
})
