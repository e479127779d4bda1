import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { newId } from '../../../src-main/base/ids'
import { ensureSession, openServices } from '../../support/execution-services'
import { startPveHost, type PveHost } from '../../support/pve-host'
import { tempFolder } from '../../support/temp'
import { good, openWorld } from './world'

async function pveHost(options: Parameters<typeof startPveHost>[0] = {}): Promise<PveHost> {
  const host = await startPveHost(options)
  onTestFinished(() => host.stop())
  return host
}

/** A `sudo` of the host's own, first in the PATH of its commands; `asks` makes it want a password. */
async function hostWithSudo(): Promise<{ host: PveHost; asks(yes: boolean): void; calls(): string }> {
  const tools = join(tempFolder(), 'bin')
  mkdirSync(tools)
  const host = await pveHost({ path: tools })
  const sudo = join(tools, 'sudo')
  writeFileSync(
    sudo,
    [
      '#!/bin/sh',
      'echo "$1 $2 $3" >> "$PVE_STATE/sudo-calls"',
      '[ "$1 $2" = "-n --" ] || { echo "sudo: a terminal is required to read the password" >&2; exit 1; }',
      '[ ! -f "$PVE_STATE/sudo-asks" ] || { echo "sudo: a password is required" >&2; exit 1; }',
      'shift 2',
      'exec "$@"'
    ].join('\n') + '\n'
  )
  chmodSync(sudo, 0o755)
  host.addContainer(200, 'caddy', 'stopped')
  return { host, asks: (yes) => host.mark('sudo-asks', yes), calls: () => host.read('sudo-calls') }
}

const sudoWorld = (host: PveHost) =>
  openWorld({ host, hostConfig: () => host.sshd.hostConfig('strong', { sudo: true }) })

describe('a host where commands go through sudo', () => {
  it('a job is started, followed and proven behind sudo -n', async () => {
    const { host, calls } = await hostWithSudo()
    const world = await sudoWorld(host)
    host.delay('pct-start', 0.5)
    const ended = await world.carryOut('pct_start', 'lxc:caddy')
    expect(ended).toMatchObject({ state: 'succeeded', verification: { ok: true } })
    expect(await world.executions.outputForModel(ended.id)).toContain('tenths left')
    expect(new Set(calls().trim().split('\n'))).toEqual(new Set(['-n -- pct', '-n -- pvesh', '-n -- sh']))
    expect(host.starts().get(ended.id)).toBe(1)
  })

  it('sudo that wants a password is said when it is requested, and nothing runs', async () => {
    const { host, asks } = await hostWithSudo()
    asks(true)
    const world = await sudoWorld(host)
    const requested = await world.executions.request({
      ...{ action: 'pct_start', target: 'lxc:200@strong', params: {}, why: '' },
      ...{ origin: 'operator', sessionId: null }
    })
    expect(requested).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('NOPASSWD') as string }
    })
    expect(host.jobs()).toEqual([])
  })

  it('sudo that has come to want one fails what was approved, in clear words and without a run', async () => {
    const { host, asks } = await hostWithSudo()
    const world = await sudoWorld(host)
    const requested = await world.request('pct_start', 'lxc:caddy')
    asks(true)
    world.approve(requested)
    const ended = await world.executions.settled(requested.id, 30_000)
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'sudo_needs_password' } })
    expect(host.jobs()).toEqual([])
  })
})

it('50 hosts at once, each with a job of its own over at most 8 sessions of a connection', async () => {
  const machines = await Promise.all(
    [1, 2, 3].map((number) => pveHost({ node: `node${number}`, config: ['MaxSessions 8'] }))
  )
  const hosts = Array.from({ length: 50 }, (_, index) => {
    const machine = machines[index % machines.length] ?? machines[0]
    if (!machine) throw new Error('no machine')
    return machine.sshd.hostConfig(`host${index}`)
  })
  const services = openServices(tempFolder(), hosts)
  onTestFinished(() => services.close())
  const session = newId()
  ensureSession(services.store, session)
  const { executions } = services
  await executions.recover()
  const requested = await Promise.all(
    hosts.map(async ({ name }) =>
      good(
        await executions.request({
          ...{
            action: 'run',
            target: `host:${name}`,
            params: { command: `awk 'BEGIN { print "from ${name}" }'` },
            why: ''
          },
          ...{ origin: 'agent', sessionId: session }
        })
      )
    )
  )
  for (const { approvalId } of requested) {
    const { id, hash } = good(executions.approval(approvalId ?? ''))
    good(executions.decide({ id, hash, decision: 'approve', route: 'ops' }))
  }
  await vi.waitFor(() => expect(executions.open()).toEqual([]), { timeout: 50_000, interval: 100 })
  for (const { id, target } of requested) {
    expect(good(executions.get(id))).toMatchObject({ state: 'succeeded' })
    expect(await executions.outputForModel(id)).toContain(`from ${target.slice('host:'.length)}`)
  }
  for (const machine of machines) {
    expect([...machine.starts().values()].every((count) => count === 1)).toBe(true)
    expect(machine.sshd.log().filter((line) => /no more sessions/.test(line))).toEqual([])
  }
})
