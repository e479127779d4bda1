import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startSshClient } from '../../support/ssh-client'
import { startSshd, type Sshd } from '../../support/sshd'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A host whose login shell starts with this file. */
async function hostWithRc(bashrc: string, ...options: Parameters<typeof startSshd>) {
  const sshd = await startSshd(...options)
  stops.push(sshd.stop)
  writeFileSync(join(sshd.home, '.bashrc'), bashrc)
  const { ssh, stop } = startSshClient([sshd.hostConfig('strong')])
  stops.push(stop)
  return { sshd, ssh }
}

/** Stand-in for sudo, which need not be installed where the tests run. */
function sudo(sshd: Sshd, script: string): string {
  const tools = join(sshd.folder, 'tools')
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'sudo'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(tools, 'sudo'), 0o755)
  return tools
}

describe('B48: a noisy host', () => {
  it('whose start file prints to stdout does not spoil the output of commands', async () => {
    const { ssh } = await hostWithRc('echo "Welcome, $RANDOM"\nprintf "last login: today"\n')
    const words = ["it's", '$x', '', 'a\nb']
    expect(await ssh.exec('strong', ['printf', '%s|', ...words])).toMatchObject({
      ok: true,
      value: { code: 0, stdout: words.map((word) => `${word}|`).join('') }
    })
    expect(await ssh.exec('strong', ['sh', '-c', 'exit 7'])).toMatchObject({ ok: true, value: { code: 7 } })
    let streamed = ''
    await ssh.stream('strong', ['seq', '3'], { onStdout: (chunk) => void (streamed += chunk.toString()) })
    expect(streamed).toBe('1\n2\n3\n')
    expect(await ssh.exec('strong', ['cat'], { stdin: 'in' })).toMatchObject({
      ok: true,
      value: { stdout: 'in' }
    })
  })

  it('that prints 5 MB before each command', async () => {
    const { ssh } = await hostWithRc('yes "message of the day" | head -c 5000000\n')
    expect(await ssh.exec('strong', ['echo', 'short'], { maxBytes: 100 })).toMatchObject({
      ok: true,
      value: { stdout: 'short\n', truncated: false }
    })
  })

  it.each([
    ['as long as SSH allows', 30_000, { ok: true, value: { stdout: 'on\n' } }],
    [
      'too long for SSH',
      100_000,
      { ok: false, error: { code: 'host_unreachable', hint: expect.stringContaining('Banner') } }
    ]
  ])('that shows a banner (%s) before the login', async (_, bytes, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'nomos-banner-'))
    const banner = join(folder, 'banner')
    writeFileSync(banner, 'Authorised use only!\n'.repeat(bytes / 20))
    const loud = await startSshd({ config: [`Banner ${banner}`] })
    const { ssh, stop } = startSshClient([loud.hostConfig('loud')])
    stops.push(async () => rmSync(folder, { recursive: true }), loud.stop, stop)
    expect(await ssh.exec('loud', ['echo', 'on'])).toMatchObject(expected)
  })

  it('whose start file ends the shell is told with what to do', async () => {
    const { ssh } = await hostWithRc('echo hello\nexit 0\n')
    expect(await ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'shell_unusable', hint: expect.stringContaining('.bashrc') }
    })
  })
})

describe('a host where commands go through sudo', () => {
  it('runs them behind sudo -n', async () => {
    const { sshd } = await hostWithRc('')
    const tools = sudo(sshd, '[ "$1 $2" = "-n --" ] || exit 9\nshift 2\necho as root: "$@"')
    const sudoed = await startSshd({ tools })
    stops.push(sudoed.stop)
    const { ssh, stop } = startSshClient([sudoed.hostConfig('strong', { sudo: true })])
    stops.push(stop)
    expect(await ssh.exec('strong', ['pct', 'list'])).toMatchObject({
      ok: true,
      value: { stdout: 'as root: pct list\n' }
    })
    expect(await ssh.probe(sudoed.hostConfig('strong', { sudo: true }), ['pveversion'])).toMatchObject({
      ok: true,
      value: { stdout: 'as root: pveversion\n' }
    })
  })

  it('says so when sudo wants a password', async () => {
    const { sshd } = await hostWithRc('')
    const tools = sudo(sshd, 'echo "sudo: a password is required" >&2\nexit 1')
    const sudoed = await startSshd({ tools })
    stops.push(sudoed.stop)
    const { ssh, stop } = startSshClient([sudoed.hostConfig('strong', { sudo: true })])
    stops.push(stop)
    expect(await ssh.exec('strong', ['pct', 'list'])).toMatchObject({
      ok: false,
      error: { code: 'sudo_needs_password', hint: expect.stringContaining('NOPASSWD') }
    })
  })
})
