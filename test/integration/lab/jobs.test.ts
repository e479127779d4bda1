import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startLab, type Lab } from '../../../src-main/lab/lab'
import { connect, type LabClient } from './client'
import { temporaryFolder } from './folder'

let folder: string
let lab: Lab
let strong: LabClient

const open = async (pace: number) => {
  lab = await startLab({ folder, pace })
  strong = await connect(lab)
}
const close = async () => {
  strong.end()
  await lab.stop()
}

beforeEach(async () => {
  folder = temporaryFolder()
  await open(0.02)
})
afterEach(close)

const id = '0190a000-0000-7000-8000-000000000001'
const step = (name: string, line: string) => `printf '\\036step %s\\n' ${name}\n${line} || exit $?\n`
const create = `pct create 105 local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst --hostname typetype --rootfs local-lvm:8 --net0 name=eth0,bridge=vmbr0,ip=dhcp`
const start = (script: string, seconds = 600) =>
  strong.job(['start', id, String(seconds), String(Buffer.byteLength(script))], script)
const state = async () => (await strong.job(['state', id])).out.trim()
const ended = () => expect.poll(state, { timeout: 10_000 }).toMatch(/^(exit|lost|interrupted)/)

describe('jobs on a simulated host', () => {
  it('starts once, says exists the second time, and follows the output to its end', async () => {
    const script = step('create', create) + step('start', 'pct start 105')
    expect((await start(script)).out).toBe('started\n')
    expect((await start(script)).out).toBe('exists\n')
    const followed = await strong.job(['follow', id, '0'])
    expect(followed.code).toBe(0)
    expect(followed.out).toMatch(/^\u001estep create\n[\s\S]*extracting archive[\s\S]*\u001estep start\n/)
    expect(followed.err).toBe(`exit 0 ${Buffer.byteLength(followed.out)}\n`)
    expect(lab.inspect().jobs).toEqual([{ id, node: 'strong', starts: 1, state: 'exit', code: 0 }])
    expect((await strong.job(['read', id, '6', '6'])).out).toBe('create')
    expect(lab.inspect().guests.find((guest) => guest.vmid === 105)).toMatchObject({
      status: 'running',
      lock: null
    })
    expect((await strong.job(['clean', id])).out).toBe('cleaned\n')
    expect(await state()).toBe('absent')
    expect(lab.inspect().starts).toEqual({ [id]: 1 })
  })

  it('ends at the first command that fails, with its exit code and its text in the output', async () => {
    await start(step('create', create.replace('105', '101')) + step('start', 'pct start 105'))
    await ended()
    const { out } = await strong.job(['read', id, '0', '100000'])
    expect(await state()).toBe(`exit 255 ${Buffer.byteLength(out)}`)
    expect(out).toBe("\u001estep create\nCT 101 already exists on node 'strong'\n")
  })

  it('keeps exported variables and files between the lines of a script', async () => {
    await start(
      "export WORD='two words'\n# a comment\n\nprintf '%s' \"$WORD\" > /tmp/word || exit $?\ncat /tmp/word || exit $?\nfalse || exit $?\n"
    )
    await ended()
    expect((await strong.job(['read', id, '0', '100'])).out).toBe('two words')
    expect(await state()).toBe('exit 1 9')
  })

  it('refuses a script that arrived incomplete and an id that is none', async () => {
    expect(await strong.job(['start', id, '60', '999'], 'true')).toMatchObject({ code: 65, out: '' })
    expect(await strong.job(['start', '../x', '60'], 'true')).toMatchObject({ code: 64 })
    expect(lab.inspect().jobs).toEqual([])
  })

  it('says absent for what was never started', async () => {
    expect(await state()).toBe('absent')
    expect(await strong.job(['follow', id, '0'])).toMatchObject({ code: 66, err: 'absent\n' })
    expect((await strong.job(['cancel', id, '1'])).out).toBe('absent\n')
  })

  it('ends a job that is cancelled with 143, rolled back as PVE does', async () => {
    await close()
    await open(3)
    await start(step('create', create))
    await expect.poll(() => lab.inspect().guests.find((guest) => guest.vmid === 105)?.lock).toBe('create')
    expect((await strong.job(['cancel', id, '2'])).out).toBe('gone\n')
    expect(await state()).toMatch(/^exit 143 \d+$/)
    expect(lab.inspect().guests.some((guest) => guest.vmid === 105)).toBe(false)
  })

  it('kills a job that ignores TERM after the grace time; it is lost then', async () => {
    await start("trap '' TERM\nsleep 300 || exit $?\n")
    await expect.poll(state).toBe('running 0')
    expect((await strong.job(['clean', id])).code).toBe(75)
    expect((await strong.job(['cancel', id, '1'])).out).toBe('gone\n')
    expect(await state()).toBe('lost 0')
  })

  it('ends a job with 124 when its time is over', async () => {
    await start('sleep 300 || exit $?\n', 1)
    await ended()
    expect(await state()).toBe('exit 124 0 late')
  })

  it('a job goes on while the connection is cut, and is followed from an offset afterwards', async () => {
    await close()
    await open(0.2)
    await start(step('create', create))
    await expect.poll(state).toMatch(/^running [1-9]/)
    const lost = strong.job(['follow', id, '0'])
    lab.faults.dropConnections()
    await lost.catch(() => undefined)
    strong = await connect(lab)
    const rest = await strong.job(['follow', id, '13'])
    expect(rest.out).toMatch(/^ {2}Logical volume/)
    expect(rest.err).toMatch(/^exit 0 /)
    expect(lab.inspect().starts[id]).toBe(1)
  })

  it('a pct create that is not a job is half made when the connection is cut', async () => {
    await close()
    await open(3)
    const ran = strong.run(create)
    await expect.poll(() => lab.inspect().guests.find((guest) => guest.vmid === 105)?.lock).toBe('create')
    lab.faults.dropConnections()
    await ran.catch(() => undefined)
    await close()
    await open(0.01)
    expect((await strong.argv('pct', 'start', '105')).err).toBe('CT is locked (create)\n')
  })

  it('a restart of the host interrupts its jobs', async () => {
    await start('sleep 300 || exit $?\n')
    const boot = (await strong.argv('cat', '/proc/sys/kernel/random/boot_id')).out
    lab.faults.reboot('strong')
    await expect.poll(() => connect(lab).then((client) => ((strong = client), true))).toBe(true)
    expect(await state()).toBe('interrupted 0')
    expect((await strong.argv('cat', '/proc/sys/kernel/random/boot_id')).out).not.toBe(boot)
  })

  it('what was due while the lab was closed happens at its next start, once', async () => {
    await close()
    await open(0.3)
    await start(
      step('create', create) + step('start', 'pct start 105') + 'echo x >> /root/effects || exit $?\n'
    )
    await expect.poll(() => lab.inspect().guests.find((guest) => guest.vmid === 105)?.lock).toBe('create')
    const before = Number((await state()).split(' ')[1])
    await close()
    // The host "goes on" without the lab: its time is the wall clock's.
    const saved = join(folder, 'lab.json')
    const moved = shifted(JSON.parse(readFileSync(saved, 'utf8')) as SavedJobs, -60_000)
    writeFileSync(saved, JSON.stringify(moved))
    await open(0.3)
    expect(await state()).toMatch(/^exit 0 \d+$/)
    const { out } = await strong.job(['read', id, '0', '1000000'])
    expect(before).toBeGreaterThan(0)
    expect(out.match(/Logical volume "vm-105-disk-0" created/g)).toHaveLength(1)
    expect((await strong.argv('cat', '/root/effects')).out).toBe('x\n')
    expect((await strong.argv('pct', 'status', '105')).out).toBe('status: running\n')
    expect(lab.inspect().starts[id]).toBe(1)
  })

  it('with a full disk a job is not started, one that runs goes on, and all is well once there is room', async () => {
    await start('sleep 1 || exit $?\necho done || exit $?\n')
    await expect.poll(state).toBe('running 0')
    // A folder where the new state would be written stands for a disk that takes nothing.
    const blocked = join(folder, 'lab.json.new')
    mkdirSync(blocked)
    const other = id.replace(/1$/, '2')
    expect((await strong.job(['start', other, '60'], 'true')).code).toBe(73)
    expect((await strong.job(['state', other])).out).toBe('absent\n')
    await expect.poll(state, { timeout: 10_000 }).toBe('exit 0 5')
    rmdirSync(blocked)
    await expect
      .poll(() => readFileSync(join(folder, 'lab.json'), 'utf8'), { timeout: 10_000 })
      .toContain('"end":{"kind":"exit","code":0}')
    expect((await strong.job(['start', other, '60'], 'true')).out).toBe('started\n')
  })

  it('refuses the eleventh session on a connection and serves it once another has ended', async () => {
    const sleepers = Array.from({ length: 10 }, () => strong.run('sleep 1'))
    await expect(strong.run('true')).rejects.toThrow(/open fail/)
    await Promise.all(sleepers)
    expect((await strong.run('true')).code).toBe(0)
  })

  it('keeps keys readable by their owner alone, and the same ones after a restart', async () => {
    const before = lab.config.hosts.map((host) => host.hostKey)
    const mode = (name: string) => statSync(join(folder, 'keys', name)).mode & 0o777
    expect([mode('client'), mode('host-strong'), mode('host-quiet')]).toEqual([0o600, 0o600, 0o600])
    await close()
    await open(0.02)
    expect(lab.config.hosts.map((host) => host.hostKey)).toEqual(before)
  })

  it('keeps a state that cannot be read aside and makes a new one', async () => {
    await close()
    writeFileSync(join(folder, 'lab.json'), '{"version":1,')
    await open(0.02)
    expect(lab.inspect().guests.length).toBeGreaterThan(8)
    expect(existsSync(join(folder, 'lab.json.unreadable'))).toBe(true)
  })
})

interface SavedJobs {
  jobs: Record<
    string,
    { startedAt: number; clock: number; deadline: number; playing: { startedAt: number } | null }
  >
}

function shifted(saved: SavedJobs, ms: number): SavedJobs {
  for (const job of Object.values(saved.jobs)) {
    job.startedAt += ms
    job.clock += ms
    job.deadline += ms
    if (job.playing) job.playing.startedAt += ms
  }
  return saved
}
