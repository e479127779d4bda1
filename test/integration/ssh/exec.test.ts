import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSshClient, type TestSsh } from '../../support/ssh-client'
import { startSshd, type Sshd } from '../../support/sshd'

let sshd: Sshd
let client: TestSsh
beforeAll(async () => {
  sshd = await startSshd()
  client = startSshClient([sshd.hostConfig('strong')])
})
afterAll(async () => {
  await client.stop()
  await sshd.stop()
})

const run = (...argv: string[]) => client.ssh.exec('strong', argv)

describe('running a command over SSH', () => {
  it('tells exit code, output and errors', async () => {
    expect(await run('sh', '-c', 'echo out; echo err >&2; exit 3')).toEqual({
      ok: true,
      value: { code: 3, signal: null, stdout: 'out\n', stderr: 'err\n', truncated: false }
    })
    expect(client.ssh.connection('strong')).toBe('reachable')
  })

  it('tells the signal that ended it', async () => {
    expect(await run('sh', '-c', 'kill -TERM $$')).toMatchObject({
      ok: true,
      value: { code: null, signal: 'SIGTERM' }
    })
  })

  it('tells a command that does not exist', async () => {
    expect(await run('no-such-program')).toMatchObject({ ok: true, value: { code: 127 } })
  })

  it('hands every argument over unchanged', async () => {
    const words = [
      "it's",
      '$(reboot)',
      '`id`',
      'a\nb',
      '',
      '-n',
      '*',
      '\\',
      "\\'",
      '🦉',
      '"x"',
      '!!',
      '~',
      'a  b'
    ]
    const outcome = await run('printf', '%s\\0', ...words)
    expect(outcome.ok && outcome.value.stdout.split('\0').slice(0, -1)).toEqual(words)
  })

  it('writes stdin, and closes it when there is none', async () => {
    const text = 'line\n'.repeat(200_000)
    const sum = await client.ssh.exec('strong', ['sha256sum'], { stdin: text })
    const digest = createHash('sha256').update(text).digest('hex')
    expect(sum.ok && sum.value.stdout.split(' ')[0]).toBe(digest)
    expect(await run('cat')).toMatchObject({ ok: true, value: { stdout: '', code: 0 } })
  })

  it('does not mind a command that leaves its stdin unread', async () => {
    const outcome = await client.ssh.exec('strong', ['true'], { stdin: Buffer.alloc(8_000_000, 'x') })
    expect(outcome).toMatchObject({ ok: true, value: { code: 0 } })
  })

  it('keeps the first bytes of long output and says that there was more', async () => {
    const outcome = await client.ssh.exec(
      'strong',
      ['sh', '-c', 'yes | head -c 3000000; yes n | head -c 3000000 >&2'],
      {
        maxBytes: 1000
      }
    )
    expect(outcome).toMatchObject({ ok: true, value: { code: 0, truncated: true } })
    expect(outcome.ok && [outcome.value.stdout.length, outcome.value.stderr.length]).toEqual([1000, 1000])
  })

  it('F24: streams 50 MB in order to a slow reader without holding them', async () => {
    const hash = createHash('sha256')
    let bytes = 0
    let most = 0
    let inside = 0
    const outcome = await client.ssh.stream(
      'strong',
      ['sh', '-c', 'yes 0123456789abcde | head -c 50000000'],
      {
        onStdout: async (chunk) => {
          most = Math.max(most, ++inside)
          await new Promise((resolve) => setImmediate(resolve))
          bytes += chunk.length
          hash.update(chunk)
          inside--
        }
      }
    )
    expect(outcome).toMatchObject({ ok: true, value: { code: 0 } })
    expect(bytes).toBe(50_000_000)
    expect(most).toBe(1)
    expect(hash.digest('hex')).toBe(
      createHash('sha256').update('0123456789abcde\n'.repeat(3_125_000)).digest('hex')
    )
  })

  it('ends a stream whose reader fails', async () => {
    const outcome = await client.ssh.stream('strong', ['yes'], {
      onStdout: () => Promise.reject(new Error('disk full'))
    })
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'output_refused', message: expect.stringContaining('disk full') }
    })
  })

  it('F19: runs 20 commands at once over at most 8 sessions', async () => {
    const script = 'ls -d /proc/[0-9]* >/dev/null; echo $$'
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => run('sh', '-c', script)))
    expect(outcomes.every((outcome) => outcome.ok && outcome.value.code === 0)).toBe(true)
    expect(client.states.filter((entry) => entry.state === 'connecting')).toHaveLength(1)
  })

  it('gives a command up when its time is up, and goes on with others', async () => {
    const late = await client.ssh.exec('strong', ['sleep', '20'], { timeoutMs: 300 })
    expect(late).toMatchObject({ ok: false, error: { code: 'exec_timeout' } })
    expect(await run('true')).toMatchObject({ ok: true, value: { code: 0 } })
  })

  it('stops on request, before and while it runs', async () => {
    const controller = new AbortController()
    const running = client.ssh.stream('strong', ['sh', '-c', 'echo on; sleep 20'], {
      signal: controller.signal,
      onStdout: () => controller.abort()
    })
    expect(await running).toMatchObject({ ok: false, error: { code: 'aborted' } })
    expect(await client.ssh.exec('strong', ['true'], { signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      error: { code: 'aborted' }
    })
  })

  it('keeps working when many given-up commands still run on the host', async () => {
    await Promise.all(
      Array.from({ length: 12 }, () => client.ssh.exec('strong', ['sleep', '15'], { timeoutMs: 400 }))
    )
    expect(await run('echo', 'still here')).toMatchObject({ ok: true, value: { stdout: 'still here\n' } })
  })

  it('refuses a NUL in an argument, and a host that is not configured', async () => {
    expect(await run('echo', 'a\0b')).toMatchObject({ ok: false, error: { code: 'command_invalid' } })
    expect(await client.ssh.exec('nowhere', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_unknown' }
    })
  })
})

describe('a host that allows fewer sessions', () => {
  it('F19: gets fewer commands at once, and all of them succeed', async () => {
    const narrow = await startSshd({ config: ['MaxSessions 2'] })
    const { ssh, stop } = startSshClient([narrow.hostConfig('narrow')])
    const outcomes = await Promise.all(
      Array.from({ length: 15 }, (_, index) => ssh.exec('narrow', ['sh', '-c', `sleep 0.05; echo ${index}`]))
    )
    expect(outcomes.map((outcome) => outcome.ok && outcome.value.stdout.trim())).toEqual(
      Array.from({ length: 15 }, (_, index) => String(index))
    )
    await stop()
    await narrow.stop()
  })
})
