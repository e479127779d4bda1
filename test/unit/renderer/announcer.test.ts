import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Announcer } from '../../../src-renderer/state/announcer.svelte'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a screen reader is told at most once in three seconds, and what came meanwhile together', () => {
  const announcer = new Announcer()
  const heard: string[] = []
  const listen = () => {
    if (heard.at(-1) !== announcer.text) heard.push(announcer.text)
  }
  for (let second = 0; second < 9; second++) {
    announcer.say(`news ${second}`)
    if (second === 1) announcer.say('Needs your approval: Destroy container old-test')
    listen()
    vi.advanceTimersByTime(1_000)
    listen()
  }
  expect(heard).toEqual([
    'news 0',
    'news 1. Needs your approval: Destroy container old-test. news 2',
    'news 3. news 4. news 5',
    'news 6. news 7. news 8'
  ])
})

test('the same thing said again and again is read out once', () => {
  const announcer = new Announcer()
  announcer.say('first')
  for (let n = 0; n < 5; n++) announcer.say('Copied')
  vi.advanceTimersByTime(3_000)
  expect(announcer.text).toBe('Copied')
})
