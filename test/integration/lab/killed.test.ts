import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startLab, type Lab } from '../../../src-main/lab/lab'
import { connect } from './client'
import { temporaryFolder } from './folder'

const support = join(import.meta.dirname, '../../support')

/** A lab in another process, with its configuration once it is up. */
async function child(
  folder: string,
  pace: number
): Promise<{ config: Lab['config']; process: ChildProcess }> {
  const started = spawn(process.execPath, [join(support, 'run-ts.mjs'), join(support, 'lab-child.ts')], {
    env: { ...process.env, LAB: JSON.stringify({ folder, pace }) },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  onTestFinished(() => void started.kill('SIGKILL'))
  for await (const line of createInterface({ input: started.stdout })) {
    if (line.startsWith('{')) return { config: JSON.parse(line) as Lab['config'], process: started }
  }
  throw new Error('the lab did not start')
}

it('goes on with its jobs after a SIGKILL in the middle of pct create, each effect once', async () => {
  const folder = temporaryFolder()
  const id = '0190a000-0000-7000-8000-00000000000f'
  const first = await child(folder, 0.4)
  const client = await connect(first)
  const script = [
    'pct create 105 local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst --hostname typetype --rootfs local-lvm:8 || exit $?',
    'pct start 105 || exit $?',
    'echo once >> /root/effects || exit $?'
  ].join('\n')
  expect((await client.job(['start', id, '600'], script)).out).toBe('started\n')
  await expect.poll(async () => (await client.job(['state', id])).out).toMatch(/^running [1-9]/)
  const gone = new Promise((resolve) => first.process.once('exit', resolve))
  first.process.kill('SIGKILL')
  await gone

  const lab = await startLab({ folder, pace: 0.4 })
  onTestFinished(() => lab.stop())
  const again = await connect(lab)
  const followed = await again.job(['follow', id, '0'])
  expect(followed.err).toBe(`exit 0 ${Buffer.byteLength(followed.out)}\n`)
  expect(followed.out.match(/created\.$/gm)).toHaveLength(1)
  expect((await again.argv('cat', '/root/effects')).out).toBe('once\n')
  expect((await again.job(['start', id, '600'], script)).out).toBe('exists\n')
  expect(lab.inspect().starts).toEqual({ [id]: 1 })
  expect(lab.inspect().guests.filter((guest) => guest.name === 'typetype')).toHaveLength(1)
  again.end()
})
