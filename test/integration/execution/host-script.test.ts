import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hostScript } from '../../../src-main/execution/jobs/host-script'
import { tempFolder } from '../../support/temp'

interface Answer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The host's side of the protocol, run by a shell of this machine. */
function host(shell: string) {
  const state = tempFolder()
  const boot = join(state, 'boot')
  writeFileSync(boot, 'first')
  const call = (args: readonly string[], stdin = ''): Promise<Answer> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], HOME: state, NOMOS_STATE: state, NOMOS_BOOT_ID_FILE: boot }
      const child = execFile(
        shell,
        ['-c', hostScript, 'nomos-job', ...args],
        { env },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr })
      )
      // A verb that reads nothing may have ended before.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(stdin)
    })
  const start = (id: string, script: string, limit = 60) =>
    call(['start', id, String(limit), String(Buffer.byteLength(script))], script)
  const line = async (...args: string[]) => (await call(args)).stdout.trim()
  onTestFinished(async () => void (await line('cancel', 'job', '0')))
  return { call, start, line, boot, file: (name: string) => join(state, 'nomos/jobs/job', name) }
}

describe.each(['dash', 'bash'])('the host script in %s', (shell) => {
  it('starts a job once, however often it is asked', async () => {
    const { start, line, file } = host(shell)
    const answers = await Promise.all([1, 2, 3, 4].map(() => start('job', 'echo ran; exit 7')))
    expect(answers.map((each) => each.stdout.trim()).sort()).toEqual([
      'exists',
      'exists',
      'exists',
      'started'
    ])
    const followed = await line('follow', 'job', '0')
    expect(followed).toBe('ran')
    expect(await line('state', 'job')).toBe('exit 7 4')
    expect(readFileSync(file('pid'), 'utf8')).toMatch(/^\d+ \d+ first\n$/)
  })

  it('follows from an offset to the end, and tells how it stands then', async () => {
    const { call, start } = host(shell)
    await start('job', 'for i in 1 2 3; do echo line $i; sleep 0.1; done')
    expect(await call(['follow', 'job', '7'])).toEqual({
      code: 0,
      stdout: 'line 2\nline 3\n',
      stderr: 'exit 0 21\n'
    })
    expect((await call(['read', 'job', '5', '4'])).stdout).toBe('1\nli')
  })

  it('never runs half a script', async () => {
    const { call, line } = host(shell)
    expect(await call(['start', 'job', '60', '100'], 'rm -rf /srv/')).toMatchObject({ code: 65 })
    expect(await line('state', 'job')).toBe('absent')
  })

  it('passes on whatever bytes a script holds', async () => {
    const { start, line } = host(shell)
    await start('job', `printf %s 'é "x" $HOME \`id\` \\ %s\nend'`)
    expect(await line('follow', 'job', '0')).toBe('é "x" $HOME `id` \\ %s\nend')
  })

  it('ends a job that runs too long, and one that is cancelled, with all its children', async () => {
    const { start, line } = host(shell)
    await start('job', 'sleep 30 & sleep 30', 1)
    await line('follow', 'job', '0')
    expect(await line('state', 'job')).toMatch(/^exit 124 \d+ late$/)
    const other = host(shell)
    await other.start('job', 'trap "" TERM; (trap "" TERM; sleep 30; sleep 30) & while :; do sleep 1; done')
    expect(await other.line('state', 'job')).toMatch(/^running /)
    expect(await other.line('cancel', 'job', '1')).toBe('gone')
    expect(await other.line('state', 'job')).toMatch(/^exit 137 /)
  })

  it('tells the time limit from a command that ends with 124 by itself', async () => {
    const own = host(shell)
    await own.start('job', 'timeout 0.2 sleep 30')
    await own.line('follow', 'job', '0')
    expect(await own.line('state', 'job')).toBe('exit 124 0 own')
    const late = host(shell)
    await late.start('job', 'trap "exit 124" TERM; while :; do sleep 0.1; done', 1)
    await late.line('follow', 'job', '0')
    expect(await late.line('state', 'job')).toMatch(/^exit 124 \d+ late$/)
  })

  it('tells a restarted host from a lost job', async () => {
    const { start, line, boot } = host(shell)
    await start('job', 'sleep 30')
    writeFileSync(boot, 'second')
    expect(await line('state', 'job')).toBe('interrupted 0')
    writeFileSync(boot, 'first')
    expect(await line('state', 'job')).toBe('running 0')
  })

  it('cleans up what has ended, and only that', async () => {
    const { call, start, line, file } = host(shell)
    await start('job', 'sleep 30')
    expect(await call(['clean', 'job'])).toMatchObject({ code: 75 })
    await line('cancel', 'job', '1')
    expect(await line('clean', 'job')).toBe('cleaned')
    expect(existsSync(file('script'))).toBe(false)
    expect(await line('clean', 'job')).toBe('cleaned')
  })

  it('takes no path for an id', async () => {
    const { call } = host(shell)
    for (const id of ['../x', '', 'a b', 'x;y', '/etc']) expect((await call(['state', id])).code).toBe(64)
  })
})
