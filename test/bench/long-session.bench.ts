import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { inPage } from '../support/in-page'
import { records } from '../support/records'
import { tempFolder } from '../support/temp'
import { figure, mb, ms, percentile, spread } from './support/figures'
import { writeHome, writeSession } from './support/large-home'
import { clickUntil, sizeOf, watchComputing, watchSmoothness } from './support/page'

const messages = 10_000
const sessions = 5
const scroller = `document.querySelector('[role="log"]')`

it('a session of 10,000 messages and 5,000 tool calls', async () => {
  const home = join(tempFolder(), 'home')
  let ids: string[] = []
  writeHome(home, { lab: true }, (store) => {
    ids = Array.from({ length: sessions }, (_, index) => writeSession(store, `long ${index}`, messages))
  })
  const [first = ''] = ids
  expect(records(home, 'SELECT count(*) AS n FROM messages WHERE session_id = ?', first)).toEqual([
    { n: messages }
  ])
  expect(records(home, 'SELECT count(*) AS n FROM tool_calls WHERE session_id = ?', first)).toEqual([
    { n: messages / 2 }
  ])
  const { page, close } = await launchApp({ home })
  await page.locator('[data-testid="session-item"]').first().waitFor()

  const opening: number[] = []
  for (const id of [...ids].reverse()) {
    const newest = records<{ id: string }>(
      home,
      'SELECT id FROM messages WHERE session_id = ? ORDER BY seq DESC LIMIT 1',
      id
    )
    const shown = `[data-testid="message"][data-id="${newest[0]?.id}"]`
    opening.push(
      await clickUntil(
        page,
        `[data-testid="session-item"][data-id="${id}"]`,
        `document.querySelector('${shown}') !== null`
      )
    )
  }
  figure('long session, newest screen after the click', spread(opening), '150 ms')
  const opened = await sizeOf(page)

  const seen = await watchSmoothness(page)
  const computed = await watchComputing(page)
  await inPage(
    page,
    `const node = ${scroller}
     const until = performance.now() + 10_000
     await new Promise((resolve) => {
       const step = () => {
         node.scrollTop -= 60
         if (performance.now() < until) requestAnimationFrame(step)
         else resolve()
       }
       requestAnimationFrame(step)
     })`
  )
  const { frames, longTasks } = await seen()
  const computing = await computed()
  figure('long session, scrolling back for 10 s, frames', spread(frames))
  figure(
    'long session, scrolling back for 10 s, tasks over 50 ms',
    longTasks.length === 0 ? 'none' : `${longTasks.length}, longest ${ms(percentile(longTasks, 1))}`
  )

  figure('long session, scrolling back for 10 s, computing of the renderer’s main thread', ms(computing))

  const held = await toTheBeginning(page)
  const back = await sizeOf(page)
  expect(held).toBe(true)
  figure(
    'long session, heap of the page',
    `newest screen ${mb(opened.heap)}, all 10,000 messages scrolled through ${mb(back.heap)}`
  )
  figure('long session, DOM nodes', `newest screen ${opened.nodes}, at the beginning ${back.nodes}`)
  await close()
})

/** Jumps up again and again until the first message is on the screen. */
const toTheBeginning = (page: Parameters<typeof inPage>[0]): Promise<boolean> =>
  inPage<boolean>(
    page,
    `const node = ${scroller}
     const until = performance.now() + 240_000
     while (performance.now() < until) {
       node.scrollTop = 0
       await new Promise((resolve) => setTimeout(resolve, 30))
       const edge = node.querySelector('.edge')
       const reads = await window.nomos.request('settings.get', {})
       if (node.scrollTop === 0 && reads.ok && /beginning|start/i.test(edge?.textContent ?? '')) return true
     }
     return false`
  )
