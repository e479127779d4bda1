import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply, RouteInput, RouteName, RouteOutput } from '../../../src-preload/contract'
import { systemClock } from '../../../src-main/base/clock'
import { silentLogger } from '../../../src-main/base/log'
import { createCore, type Core } from '../../../src-main/core'
import { createDispatch, type Dispatch } from '../../../src-main/ipc/dispatch'
import { createHandlers } from '../../../src-main/ipc/handlers'
import { agreeableShell } from '../../support/shell'

let home: string
let core: Core
let dispatch: Dispatch

const reply = async <R extends RouteName>(route: R, input: RouteInput<R>) =>
  (await dispatch(route, input)) as Reply<RouteOutput<R>>
const read = async <R extends RouteName>(route: R, input: RouteInput<R>): Promise<RouteOutput<R>> => {
  const answer = await reply(route, input)
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer.data
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'nomos-targets-'))
  const built = createCore({
    home,
    appFolder: resolve(import.meta.dirname, '../../..'),
    version: '0.0.0-test',
    logsFolder: join(home, 'logs'),
    env: { NOMOS_LAB_PACE: '0.02', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
    clock: systemClock,
    log: silentLogger
  })
  if (!built.ok) throw new Error(built.error.message)
  core = built.value
  dispatch = createDispatch(createHandlers(core, agreeableShell()), silentLogger)
  await core.lab.start()
  await core.fleet.refresh()
})
afterAll(async () => {
  await core.close()
  rmSync(home, { recursive: true, force: true })
})

describe('a guest as the Fleet page looks at it', () => {
  const target = 'lxc:101'

  it('tells configuration and addresses', async () => {
    expect(await read('target.detail', { target })).toMatchObject({
      kind: 'guest',
      guest: { name: 'caddy', status: 'running' },
      config: { hostname: 'caddy' },
      addresses: [expect.stringMatching(/^192\.168\./)]
    })
  })

  it('lists services with what failed first', async () => {
    for (const guest of core.fleet
      .guests()
      .filter((each) => each.kind === 'lxc' && each.status === 'running')) {
      const answer = await reply('target.services', { target: `lxc:${guest.vmid}` })
      if (!answer.ok) continue
      const states = answer.data.map(({ active }) => active === 'failed')
      expect(states, guest.name).toEqual(states.toSorted((a, b) => Number(b) - Number(a)))
    }
  })

  it('reads the journal of the guest or of one service, and refuses what is no unit', async () => {
    const lines = await read('target.logs', { target, service: 'caddy', lines: 5 })
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.length).toBeLessThanOrEqual(5)
    expect(await reply('target.logs', { target, service: '-x; reboot' })).toMatchObject({
      ok: false,
      error: { code: 'input_invalid' }
    })
  })

  it('tells the use of the last hour, with gaps while it was off', async () => {
    const samples = await read('target.usage', { target, span: 'hour' })
    expect(samples).toHaveLength(70)
    for (const { cpu, memory } of samples) {
      expect(cpu).toBeGreaterThanOrEqual(0)
      expect(memory).toBeLessThanOrEqual(1)
    }
    const off = core.fleet.guests().find((guest) => guest.status === 'stopped')
    const gaps = await read('target.usage', { target: `${off?.kind}:${off?.vmid}`, span: 'day' })
    expect(gaps.every(({ cpu, memory }) => cpu === null && memory === null)).toBe(true)
  })

  it('says what to do first when it is stopped, and that a host has no snapshots', async () => {
    const off = core.fleet.guests().find((guest) => guest.status === 'stopped' && guest.kind === 'lxc')
    expect(await reply('target.services', { target: `lxc:${off?.vmid}` })).toMatchObject({
      ok: false,
      error: { code: 'guest_not_running', hint: expect.stringContaining('Start it') }
    })
    expect(await reply('target.snapshots', { target: 'host:strong' })).toMatchObject({
      ok: false,
      error: { code: 'target_invalid' }
    })
  })
})

describe('a node as the Fleet page looks at it', () => {
  it('tells its load, its updates and its services', async () => {
    expect(await read('target.detail', { target: 'host:strong' })).toMatchObject({
      kind: 'host',
      cpuModel: expect.stringContaining('Ryzen'),
      load: [expect.any(String), expect.any(String), expect.any(String)]
    })
    expect(await read('target.updates', { target: 'host:strong' })).toContainEqual(
      expect.objectContaining({ name: 'openssl', security: true })
    )
    const services = await read('target.services', { target: 'host:strong' })
    expect(services.map(({ name }) => name)).toContain('pveproxy')
    const usage = await read('target.usage', { target: 'host:strong', span: 'week' })
    expect(usage.at(-1)?.memory).toBeGreaterThan(0)
  })

  it('lists what lies on a storage: templates and backups', async () => {
    const volumes = await read('node.content', { host: 'strong', storage: 'local' })
    expect(new Set(volumes.map(({ content }) => content))).toEqual(new Set(['vztmpl', 'backup']))
    expect(await read('node.tasks', { host: 'strong' })).toEqual([])
    expect(await reply('node.content', { host: 'strong', storage: 'nowhere' })).toMatchObject({
      ok: false,
      error: { code: 'pvesh_failed' }
    })
  })

  it('offers templates that are there first, then those that can be fetched, and its bridges', async () => {
    const { templates, bridges, problems } = await read('node.choices', { host: 'strong' })
    expect(bridges).toEqual(['vmbr0'])
    expect(problems).toEqual([])
    const here = templates.map((each) => each.here)
    expect(here).toContain(false)
    expect(here).toEqual(here.toSorted((a, b) => Number(b) - Number(a)))
    expect(templates[0]).toMatchObject({ here: true, value: expect.stringMatching(/^local:vztmpl\//) })
  })
})

it('keeps samples of every host and guest since the app was started', async () => {
  const samples = await read('fleet.samples', {})
  expect(samples['host:strong']?.cpu.length).toBeGreaterThan(0)
  expect(Object.keys(samples)).toContain('homelab/lxc/101')
})
