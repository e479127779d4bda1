import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startSshClient } from '../support/ssh-client'
import { startSshd } from '../support/sshd'
import { figure, median, spread, times } from './support/figures'

const run = promisify(execFile)
const rounds = 200
const warmUp = 10

it('a command over a warm connection, beside ssh with ControlMaster', async () => {
  const sshd = await startSshd()
  onTestFinished(() => sshd.stop())
  const client = startSshClient([sshd.hostConfig('strong')])
  onTestFinished(() => client.stop())
  const control = join(sshd.folder, 'control')
  const options = [
    ...['-o', 'ControlMaster=auto', '-o', `ControlPath=${control}`, '-o', 'ControlPersist=60'],
    ...['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(sshd.folder, 'known')}`],
    ...['-o', 'LogLevel=ERROR', '-F', 'none', '-i', sshd.keyFile, '-p', String(sshd.port)]
  ]
  const target = `${userInfo().username}@127.0.0.1`
  onTestFinished(() => run('ssh', [...options, '-O', 'exit', target]).then(() => undefined))

  const viaNomos = async () => {
    const outcome = await client.ssh.exec('strong', ['echo', 'here'])
    expect(outcome.ok && outcome.value.stdout).toBe('here\n')
  }
  const viaOpenSsh = async () => {
    const { stdout } = await run('ssh', [...options, target, 'echo here'])
    expect(stdout).toBe('here\n')
  }
  const took: Record<'nomos' | 'openssh', number[]> = { nomos: [], openssh: [] }
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, command] of [
      ['nomos', viaNomos],
      ['openssh', viaOpenSsh]
    ] as const) {
      const begun = performance.now()
      await command()
      if (round >= 0) took[name].push(performance.now() - begun)
    }
  }
  figure('command over SSH, Nomos', spread(took.nomos))
  figure('command over SSH, ssh with ControlMaster', spread(took.openssh))
  figure('command over SSH, ratio of medians', times(median(took.nomos) / median(took.openssh)), '1.20×')
})
