import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { openWorld } from '../integration/execution/world'
import { figure, mb, most } from './support/figures'

const bytes = 500_000_000
const line = 'Preparing to unpack .../python3-minimal_3.11.2-1+b1_amd64.deb ...'

async function sha256From(file: string, start: number): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { start }), hash)
  return hash.digest('hex')
}

function sha256OfExpected(): string {
  const hash = createHash('sha256')
  const block = Buffer.from(`${line}\n`.repeat(10_000))
  for (let left = bytes; left > 0; left -= block.length)
    hash.update(block.subarray(0, Math.min(left, block.length)))
  return hash.digest('hex')
}

it('500 MB of output: memory, and every byte of it', async () => {
  const world = await openWorld()
  // What is needed once, such as compiled code, is there before the count.
  await world.carryOut('run', 'host:strong', { command: `yes '${line}' | head -c 1000000` })
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const samples: number[] = []
  const sampler = setInterval(() => samples.push(process.memoryUsage().rss), 50)

  const begun = performance.now()
  const requested = await world.request('run', 'host:strong', { command: `yes '${line}' | head -c ${bytes}` })
  if (requested.state === 'awaiting_approval') world.approve(requested)
  const ended = await world.executions.settled(requested.id, 500_000)
  const seconds = (performance.now() - begun) / 1000
  clearInterval(sampler)

  expect(ended.error).toBeNull()
  expect(ended.state).toBe('succeeded')
  const file = join(world.home, 'outputs', requested.id)
  // A line before it names the step.
  expect(await sha256From(file, statSync(file).size - bytes)).toBe(sha256OfExpected())
  const forModel = await world.executions.outputForModel(requested.id)
  expect(forModel.length).toBeLessThan(20_000)

  figure('500 MB of output, growth of memory', mb(most(samples) - before), '100 MB')
  figure('500 MB of output, time', `${seconds.toFixed(1)} s, ${mb(bytes / seconds)} a second`)
})
