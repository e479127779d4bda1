import type { IntervalHistogram } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { delta, event, modelServer, type Reply } from '../support/model-server'
import { figure, most, ms, percentile, spread } from './support/figures'
import { watchComputing, watchSmoothness } from './support/page'
import { seeded, vocabulary, zipf } from './support/words'

const tokensPerSecond = 500
const seconds = 10
const tick = 4

/** An answer as long as it takes: paragraphs, lists, tables and code in turn, cut into tokens of a word each. */
function tokens(count: number): string[] {
  const word = zipf(vocabulary(2_000), seeded(5))
  const some = (length: number) => Array.from({ length }, word).join(' ')
  const blocks = [
    () => `## ${some(4)}\n\n${some(60)}. **${some(3)}** and \`${some(2)}\` ${some(20)}.\n\n`,
    () => `${Array.from({ length: 6 }, () => `- ${some(10)}\n`).join('')}\n`,
    () =>
      `| name | state |\n|---|---|\n${Array.from({ length: 8 }, () => `| ${some(1)} | ${some(2)} |\n`).join('')}\n`,
    () => `\`\`\`sh\n${Array.from({ length: 8 }, () => `pct exec 105 -- ${some(5)}\n`).join('')}\`\`\`\n\n`
  ]
  let text = ''
  const cut = () => text.match(/\s*\S+/g) ?? []
  for (let index = 0; cut().length < count; index++) text += blocks[index % blocks.length]?.() ?? ''
  return cut().slice(0, count)
}

const streamed =
  (list: readonly string[]): Reply =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const begun = performance.now()
    for (let sent = 0; sent < list.length;) {
      const due = Math.min(
        list.length,
        Math.floor(((performance.now() - begun) / 1000) * tokensPerSecond) + 1
      )
      for (; sent < due; sent++) response.write(event(delta({ content: list[sent] })))
      await new Promise((resolve) => setTimeout(resolve, tick))
    }
    response.write(event(delta({ content: '\n\nThat was all.' })))
    response.end(event(delta({}, 'stop')) + 'data: [DONE]\n\n')
  }

it('500 tokens a second for 10 seconds', async () => {
  const list = tokens(tokensPerSecond * seconds)
  const server = await modelServer(streamed(list))
  const { app, page, close } = await launchApp({
    config: { model: { provider: 'openai-compatible', baseURL: server.baseURL, model: 'scripted' } }
  })
  const chat = new Chat(page)
  await page.getByTestId('composer-input').waitFor()
  const seen = await watchSmoothness(page)
  const computed = await watchComputing(page)
  await app.evaluate(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks')
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    Object.assign(globalThis, { loopDelay: delay })
  })
  const begun = performance.now()
  await chat.say('tell me everything')
  await chat.answerWith('That was all.').waitFor({ timeout: 120_000 })
  const took = (performance.now() - begun) / 1000
  const { frames, longTasks } = await seen()
  const computing = await computed()
  const loop = await app.evaluate(() => {
    const delay = (globalThis as unknown as { loopDelay: IntervalHistogram }).loopDelay
    return { p95: delay.percentile(95) / 1e6, p99: delay.percentile(99) / 1e6, most: delay.max / 1e6 }
  })
  expect(server.requests).toHaveLength(1)
  figure('streaming', `${list.length} tokens in ${took.toFixed(1)} s`)
  figure(
    'streaming, tasks over 50 ms in the renderer',
    longTasks.length === 0 ? 'none' : `${longTasks.length}, longest ${ms(most(longTasks))}`,
    'none'
  )
  figure('streaming, computing of the renderer’s main thread', `${ms(computing)} in ${took.toFixed(1)} s`)
  figure('streaming, frames', `${spread(frames)}, 99% ${ms(percentile(frames, 0.99))}`)
  figure(
    'streaming, delay of main’s event loop',
    `95% ${ms(loop.p95)}, 99% ${ms(loop.p99)}, most ${ms(loop.most)}`
  )
  await close()
})
