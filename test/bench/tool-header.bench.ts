import { expect, it } from 'vitest'
import type { ToolCallView } from '../../src-preload/contract'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { inPage } from '../support/in-page'
import { figure, percentile, spread } from './support/figures'

interface Seen {
  /** Events about tool calls, with the time at which main made them. */
  readonly events: readonly { readonly at: number; readonly call: ToolCallView }[]
  /** What the header said, from when on. */
  readonly texts: readonly { readonly at: number; readonly text: string }[]
}

const watch = `
  const seen = (window.seenCalls = { events: [], texts: [] })
  let last = ''
  window.nomos.onEvent(({ at, event }) => {
    if (event.type === 'tool_call.changed') seen.events.push({ at, call: event.call })
  })
  new MutationObserver(() => {
    const text = [...document.querySelectorAll('[data-testid="tool-group-status"]')].at(-1)?.innerText ?? ''
    if (text === last) return
    last = text
    seen.texts.push({ at: performance.timeOrigin + performance.now(), text })
  }).observe(document, { subtree: true, childList: true, characterData: true })`

it('from a tool event in main to its text in the header', async () => {
  const { page, close } = await launchApp()
  const chat = new Chat(page)
  await chat.exploreLab()
  await inPage(page, watch)
  await chat.say('fleet scan, one by one')
  await chat.answerWith('I made 40 calls').waitFor({ timeout: 120_000 })
  const { events, texts } = await inPage<Seen>(page, 'return window.seenCalls')

  const begun = events.filter(({ call }) => call.state === 'running')
  expect(new Set(begun.map(({ call }) => call.id)).size).toBe(40)
  const waits = begun.map(({ at, call }) => {
    const shown = texts.find((text) => text.at >= at && text.text.includes(call.sentence))
    expect(shown, `"${call.sentence}" in the header`).toBeDefined()
    return (shown?.at ?? Number.NaN) - at
  })
  const ended = events.filter(({ call }) => call.state === 'done')
  const ticks = ended.flatMap(({ at, call }) => {
    const shown = texts.find((text) => text.at >= at && text.text === `✓ ${call.object}`)
    return shown ? [shown.at - at] : []
  })
  figure('tool header, call begun → its sentence', spread(waits), '95% 100 ms')
  figure(
    'tool header, call ended → its ✓',
    `95% ${percentile(ticks, 0.95).toFixed(1)} ms, n ${ticks.length} of ${ended.length}`
  )
  await close()
})
