import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSshClient, type TestSsh } from '../../support/ssh-client'
import { startSshd, type Sshd } from '../../support/sshd'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy'

/** Waits until it holds; slow machines get their time. */
const soon = (holds: () => unknown) => vi.waitFor(holds, { timeout: 20_000 })

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

function client(...args: Parameters<typeof startSshClient>): TestSsh {
  const started = startSshClient(...args)
  stops.push(started.stop)
  return started
}

async function server(...args: Parameters<typeof startSshd>): Promise<Sshd> {
  const started = await startSshd(...args)
  stops.push(started.stop)
  return started
}

async function proxy(port: number): Promise<TcpProxy> {
  const started = await startTcpProxy(port)
  stops.push(started.stop)
  return started
}

const seen = (started: TestSsh, host = 'strong') =>
  started.states.filter((entry) => entry.host === host).map((entry) => entry.state)

describe('a connection that fails', () => {
  let sshd: Sshd
  let network: TcpProxy
  beforeEach(async () => {
    sshd = await server()
    network = await proxy(sshd.port)
  })
  const behindNetwork = () => sshd.hostConfig('strong', { port: network.port })

  it('F14: cut in the middle of a command, leaves its outcome unknown and comes back', async () => {
    const { ssh, ...started } = client([behindNetwork()])
    const running = ssh.stream('strong', ['sh', '-c', 'echo on; sleep 10'], { onStdout: () => network.cut() })
    expect(await running).toMatchObject({ ok: false, error: { code: 'connection_lost' } })
    await soon(() => expect(ssh.connection('strong')).toBe('reachable'))
    expect(started.states.map((entry) => entry.state)).toEqual([
      'connecting',
      'reachable',
      'connecting',
      'reachable'
    ])
    expect(await ssh.exec('strong', ['echo', 'back'])).toMatchObject({
      ok: true,
      value: { stdout: 'back\n' }
    })
  })

  it('F15: half open, is noticed by keepalives; commands wait no longer than that', async () => {
    const { ssh } = client([behindNetwork()], {
      tuning: { keepaliveInterval: 100, keepaliveCount: 2, connectTimeout: 500, retries: 1 }
    })
    const running = ssh.stream('strong', ['sh', '-c', 'echo on; sleep 10'], {
      onStdout: () => network.freeze()
    })
    expect(await running).toMatchObject({
      ok: false,
      error: { code: 'connection_lost', message: expect.stringContaining('Keepalive') }
    })
    expect(await ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable' }
    })
  })

  it('F15: half open before a command is sent, does not hold the command up', async () => {
    const { ssh } = client([behindNetwork()], { tuning: { channelTimeout: 200 } })
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    network.freeze()
    expect(await ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'connection_lost' }
    })
  })

  it('F16: an SSH server that is started anew is connected again, and waiting commands run', async () => {
    const { ssh } = client([sshd.hostConfig('strong')])
    await ssh.exec('strong', ['true'])
    await sshd.halt()
    await soon(() => expect(ssh.connection('strong')).toBe('connecting'))
    const waiting = ssh.exec('strong', ['echo', 'after the restart'])
    await sshd.start()
    const outcome = await waiting
    // The attempt that the command waited for may have come before the server was there.
    if (!outcome.ok) expect(outcome.error.code).toBe('host_unreachable')
    await soon(() => expect(ssh.connection('strong')).toBe('reachable'))
    expect(await ssh.exec('strong', ['echo', 'on'])).toMatchObject({ ok: true, value: { stdout: 'on\n' } })
  })

  it('is given up after five attempts, and tried once by the next command', async () => {
    const started = client([sshd.hostConfig('strong')], { tuning: { retryFirst: 10, retryLongest: 20 } })
    await started.ssh.exec('strong', ['true'])
    await sshd.halt()
    await soon(() => expect(started.ssh.connection('strong')).toBe('unreachable'))
    expect(seen(started).filter((state) => state === 'unreachable')).toHaveLength(1)
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable', message: expect.stringContaining('nothing answers on that port') }
    })
    await sshd.start()
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
  })

  it('works over a network that hands bytes on one by one', async () => {
    network.split(1)
    const { ssh } = client([behindNetwork()])
    expect(await ssh.exec('strong', ['echo', 'slowly'])).toMatchObject({
      ok: true,
      value: { stdout: 'slowly\n' }
    })
  })

  it('is closed when nobody uses it, and opened by the next command', async () => {
    const started = client([sshd.hostConfig('strong')], { tuning: { idleTimeout: 50 } })
    const long = started.ssh.exec('strong', ['sleep', '0.3'])
    expect(await long).toMatchObject({ ok: true })
    await soon(() => expect(started.ssh.connection('strong')).toBe('unknown'))
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    expect(seen(started)).toEqual(['connecting', 'reachable', 'unknown', 'connecting', 'reachable'])
  })

  it('is dropped when the host is configured anew', async () => {
    const started = client([sshd.hostConfig('strong')])
    await started.ssh.exec('strong', ['true'])
    started.configure([behindNetwork()])
    expect(started.ssh.connection('strong')).toBe('unknown')
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    expect(network.accepted).toBe(1)
    started.configure([])
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unknown' }
    })
  })

  it('tells when what answers speaks no SSH, or nothing does', async () => {
    const { ssh } = client([sshd.hostConfig('strong', { address: 'no-such-host.invalid' })])
    expect(await ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable', message: expect.stringMatching(/its name/) }
    })
    network.freeze()
    const frozen = client([behindNetwork()], { tuning: { connectTimeout: 200 } })
    expect(await frozen.ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable', message: expect.stringContaining('does not answer in time') }
    })
  })

  it('a command whose time is up while connecting was not started', async () => {
    network.freeze()
    const { ssh } = client([behindNetwork()])
    expect(await ssh.exec('strong', ['true'], { timeoutMs: 100 })).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable', message: expect.stringContaining('nothing was started') }
    })
  })
})

describe('logging in', () => {
  it('F22: is not tried again when the key is not accepted any more', async () => {
    const sshd = await server()
    const started = client([sshd.hostConfig('strong')])
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    sshd.authorize([])
    sshd.cutSessions()
    await soon(() => expect(started.ssh.connection('strong')).toBe('blocked'))
    for (let call = 0; call < 5; call++)
      expect(await started.ssh.exec('strong', ['true'])).toMatchObject({
        ok: false,
        error: { code: 'auth_failed', hint: expect.stringContaining(sshd.publicKey) }
      })
    expect(sshd.log().filter((line) => line.startsWith('Failed publickey'))).toHaveLength(1)

    sshd.authorize([sshd.publicKey])
    expect(await started.ssh.probe(sshd.hostConfig('strong'))).toMatchObject({ ok: true })
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
  })

  it('F22: is tried again after ten minutes', async () => {
    const sshd = await server()
    let now = Date.now()
    const { ssh } = client([sshd.hostConfig('strong')], { clock: { now: () => now } })
    sshd.authorize([])
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: false, error: { code: 'auth_failed' } })
    sshd.authorize([sshd.publicKey])
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: false, error: { code: 'auth_failed' } })
    now += 601_000
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
  })
})

describe('a host behind another', () => {
  it('F21: is reached through it, and fails with it and comes back with it', async () => {
    const jump = await server()
    const inner = await server()
    const hosts = [jump.hostConfig('gate'), inner.hostConfig('inner', { jump: 'gate' })]
    const started = client(hosts)
    expect(await started.ssh.exec('inner', ['echo', 'inside'])).toMatchObject({
      ok: true,
      value: { stdout: 'inside\n' }
    })
    expect(inner.log().some((line) => line.startsWith('Accepted publickey'))).toBe(true)

    const running = started.ssh.stream('inner', ['sh', '-c', 'echo on; sleep 10'], {
      onStdout: () => void jump.halt()
    })
    expect(await running).toMatchObject({ ok: false, error: { code: 'connection_lost' } })
    expect(await started.ssh.exec('inner', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable', message: expect.stringContaining('behind gate') }
    })
    await jump.start()
    await soon(async () => expect(await started.ssh.exec('inner', ['true'])).toMatchObject({ ok: true }))
  })

  it('each hop shows a key of its own', async () => {
    const jump = await server()
    const inner = await server()
    const wrong = client([
      jump.hostConfig('gate'),
      inner.hostConfig('inner', { jump: 'gate', hostKey: jump.hostKeyFingerprint })
    ])
    expect(await wrong.ssh.exec('inner', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_key_changed' }
    })
    expect(await wrong.ssh.exec('gate', ['true'])).toMatchObject({ ok: true })
  })

  it('says so when the jump host does not allow it', async () => {
    const jump = await server({ config: ['AllowTcpForwarding no'] })
    const inner = await server()
    const { ssh } = client([jump.hostConfig('gate'), inner.hostConfig('inner', { jump: 'gate' })])
    expect(await ssh.exec('inner', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable', hint: expect.stringContaining('AllowTcpForwarding') }
    })
  })

  it('is refused when it would be reached through itself', async () => {
    const sshd = await server()
    const { ssh } = client([sshd.hostConfig('a', { jump: 'b' }), sshd.hostConfig('b', { jump: 'a' })])
    expect(await ssh.exec('a', ['true'])).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('a → b → a') }
    })
  })
})
