import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { HostConfig } from '../../../src-preload/contract'
import { testHost } from '../../../src-main/fleet/host-test'
import { startSshClient, type TestSsh } from '../../support/ssh-client'
import { startSshd, type Sshd } from '../../support/sshd'
import { tempFolder } from '../../support/temp'

describe('the test of a new host says of each step only what was seen', () => {
  let sshd: Sshd
  let client: TestSsh
  const host = (different: Partial<HostConfig> = {}): HostConfig => ({
    name: 'new',
    address: '127.0.0.1',
    port: sshd.port,
    user: 'root',
    identity: { keyFile: sshd.keyFile },
    sudo: false,
    ...different
  })
  const steps = async (different: Partial<HostConfig> = {}) =>
    (await testHost(client.ssh, host(different))).steps.map(({ step, ok }) => `${step} ${ok ? '✓' : '✕'}`)

  beforeEach(async () => {
    sshd = await startSshd()
    client = startSshClient([], { tuning: { connectTimeout: 3000 } })
    onTestFinished(async () => {
      await client.stop()
      await sshd.stop()
    })
  })
  const trust = async () => {
    await testHost(client.ssh, host())
    client.ssh.trust('new', sshd.hostKeyFingerprint, false)
  }

  it('a key that is not there: the host was not asked, so nothing is said about it', async () => {
    const report = await testHost(client.ssh, host({ identity: { keyFile: '/no/such/key' } }))
    expect(report.steps).toMatchObject([
      { step: 'key', ok: false, message: expect.stringContaining('/no/such/key') as string }
    ])
    expect(await steps({ identity: { keychain: 'missing' } })).toEqual(['key ✕'])
    const publicKey = join(tempFolder(), 'key.pub')
    writeFileSync(publicKey, sshd.publicKey)
    expect(await steps({ identity: { keyFile: publicKey } })).toEqual(['key ✕'])
  })

  it('a host that does not answer', async () => {
    expect(await steps({ port: 1 })).toEqual(['key ✓', 'connect ✕'])
    expect(await steps({ address: 'no-such-host.invalid' })).toEqual(['key ✓', 'connect ✕'])
  })

  it('a key of the host that nobody has judged yet, offered to be judged', async () => {
    const report = await testHost(client.ssh, host())
    expect(report.offer).toMatchObject({ fingerprint: sshd.hostKeyFingerprint, expected: null })
    expect(await steps()).toEqual(['key ✓', 'connect ✓', 'host_key ✕'])
  })

  it('a key that the host does not know', async () => {
    await trust()
    sshd.authorize([])
    expect(await steps()).toEqual(['key ✓', 'connect ✓', 'host_key ✓', 'login ✕'])
  })

  it('a machine that is no Proxmox VE node', async () => {
    await trust()
    expect(await steps()).toEqual(['key ✓', 'connect ✓', 'host_key ✓', 'login ✓', 'proxmox ✕'])
  })

  it('a node: every step, and its version', async () => {
    const tools = tempFolder()
    const script = '#!/bin/sh\necho "pve-manager/8.3.0/c1689ccb1065a83b (running kernel: 6.8.12-4-pve)"\n'
    writeFileSync(join(tools, 'pveversion'), script, { mode: 0o755 })
    const node = await startSshd({ tools })
    onTestFinished(() => node.stop())
    const there = host({ port: node.port, identity: { keyFile: node.keyFile } })
    await testHost(client.ssh, there)
    client.ssh.trust('new', node.hostKeyFingerprint, false)
    const report = await testHost(client.ssh, there)
    expect(report).toMatchObject({ ok: true })
    expect(report.steps.map(({ step }) => step)).toEqual(['key', 'connect', 'host_key', 'login', 'proxmox'])
    expect(report.steps.at(-1)?.message).toBe('Proxmox VE 8.3.0.')
  })
})
