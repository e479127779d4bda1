import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { good, openWorld } from './world'

const megabytes = 500

it('F24: 500 MB of output are kept whole without being held in memory', { timeout: 120_000 }, async () => {
  const world = await openWorld()
  const before = process.memoryUsage().rss
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50)
  const command = `head -c ${megabytes}000000 /dev/zero | tr '\\0' x`
  const requested = await world.request('run', 'host:strong', { command })
  world.approve(requested)
  const ended = await world.executions.settled(requested.id, 110_000)
  clearInterval(watch)
  expect(ended).toMatchObject({ state: 'succeeded' })

  let bytes = 0
  for await (const chunk of createReadStream(join(world.home, 'outputs', requested.id)))
    bytes += (chunk as Buffer).length
  expect(bytes).toBe(ended.outputBytes)
  expect(bytes).toBe(megabytes * 1_000_000 + '\u001estep run\n'.length)
  expect((await world.executions.outputForModel(requested.id)).length).toBeLessThan(14_000)
  expect(good(await world.executions.output(requested.id, undefined, 65_536)).text).toHaveLength(65_536)
  expect((most - before) / 1_000_000).toBeLessThan(100)
})
