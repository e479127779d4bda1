import type { SessionView } from '@contract'
import { expect, test } from 'vitest'
import { Store } from '../../../src-renderer/state/store.svelte'
import { executionView } from '../../support/views'

const session = (state: SessionView['state']): SessionView => ({
  ...{ id: 's', title: 'Deploy', state, createdAt: 1, updatedAt: 1 },
  ...{ model: null, bytes: 0 }
})

test('between two turns a session is running while something runs on a host for it, and idle when that has ended', () => {
  const store = new Store()
  const put = (state: 'running' | 'unknown' | 'succeeded', sessionId = 's') =>
    store.executions.set('e', executionView({ id: 'e', sessionId, state }))
  expect(store.stateOf(session('idle'))).toBe('idle')
  put('running')
  expect(store.stateOf(session('idle'))).toBe('running')
  // What needs the operator, or went wrong, is told before it.
  expect(store.stateOf(session('waiting'))).toBe('waiting')
  expect(store.stateOf(session('failed'))).toBe('failed')
  put('unknown')
  expect(store.stateOf(session('idle'))).toBe('running')
  put('succeeded')
  expect(store.stateOf(session('idle'))).toBe('idle')
  put('running', 'another')
  expect(store.stateOf(session('idle'))).toBe('idle')
})
