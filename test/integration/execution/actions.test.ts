import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { actions } from '../../../src-main/execution/actions/registry'
import type { AppError } from '../../../src-preload/contract'
import { startPveHost } from '../../support/pve-host'
import { tempFolder } from '../../support/temp'
import { good, openWorld, type World } from './world'

async function world(): Promise<World> {
  const opened = await openWorld()
  opened.host.addContainer(200, 'caddy', 'running', { cores: '1' })
  opened.host.addContainer(201, 'db', 'stopped')
  opened.host.addVm(300, 'win', 'running')
  opened.host.writeInside(200, '/units/caddy', 'active')
  return opened
}

async function refusal(
  on: World,
  action: string,
  target: string,
  params: Record<string, unknown> = {}
): Promise<AppError> {
  const asked = await on.executions.request({
    action,
    target,
    params,
    why: '',
    origin: 'agent',
    sessionId: on.session
  })
  if (asked.ok) throw new Error(`${action} was not refused`)
  expect(on.executions.list({}).total).toBe(0)
  return asked.error
}

const texts = (execution: { commands: readonly { text: string }[] }) =>
  execution.commands.map(({ text }) => text)
const inGuest =
  'pct exec 200 --keep-env 0 -- env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8'

describe('each action runs what it shows and reads back that it is so', () => {
  it.each<[string, string, Record<string, unknown>, string[], string]>([
    ['pct_start', 'lxc:db', {}, ['pct start 201'], 'db (201) on strong is running.'],
    ['pct_start', 'lxc:caddy', {}, ['pct start 200'], 'caddy (200) on strong is running.'],
    ['pct_shutdown', 'lxc:caddy', {}, ['pct shutdown 200 --timeout 60'], 'caddy (200) on strong is stopped.'],
    ['pct_shutdown', 'lxc:201', {}, ['pct shutdown 201 --timeout 60'], 'db (201) on strong is stopped.'],
    ['pct_stop', 'lxc:caddy', {}, ['pct stop 200'], 'caddy (200) on strong is stopped.'],
    ['pct_reboot', 'lxc:caddy', {}, ['pct reboot 200 --timeout 60'], 'caddy (200) on strong is running.'],
    ['pct_destroy', 'lxc:db', { purge: true }, ['pct destroy 201 --purge 1'], 'db (201) on strong is gone.'],
    [
      'pct_set',
      'lxc:caddy',
      { memoryMiB: 1024, tags: ['web', 'prod'] },
      ["pct set 200 --memory 1024 --tags 'web;prod'"],
      'caddy (200) on strong is configured so.'
    ],
    ['pct_resize', 'lxc:caddy', { addGiB: 2 }, ['pct resize 200 rootfs +2G'], 'rootfs is 10.0 GiB.'],
    [
      'pct_snapshot',
      'lxc:caddy',
      { name: 'before' },
      ['pct snapshot 200 before'],
      'Snapshot before of caddy (200) on strong is there.'
    ],
    [
      'pct_clone',
      'lxc:db',
      { name: 'db2' },
      ['pct clone 201 100 --hostname db2 --full 1'],
      'db2 (100) on strong exists.'
    ],
    [
      'pct_exec',
      'lxc:caddy',
      { command: ['mkdir', '-p', '/tmp/nomos-nothing'] },
      [`${inGuest} mkdir -p /tmp/nomos-nothing`],
      'It ended with exit code 0.'
    ],
    [
      'systemctl',
      'lxc:caddy',
      { verb: 'restart', unit: 'caddy' },
      [`${inGuest} systemctl restart caddy`],
      'caddy is active.'
    ],
    [
      'systemctl',
      'lxc:caddy',
      { verb: 'enable', unit: 'caddy', now: true },
      [`${inGuest} systemctl enable --now caddy`],
      'caddy is active.'
    ],
    [
      'systemctl',
      'lxc:caddy',
      { verb: 'stop', unit: 'caddy' },
      [`${inGuest} systemctl stop caddy`],
      'caddy is inactive.'
    ],
    [
      'restart',
      'lxc:caddy',
      { service: 'caddy' },
      [`${inGuest} systemctl restart caddy`],
      'caddy is active.'
    ],
    ['restart', 'lxc:caddy', {}, ['pct reboot 200'], 'caddy (200) on strong is running.'],
    [
      'apt_upgrade',
      'lxc:caddy',
      {},
      [
        `${inGuest} apt-get update`,
        `${inGuest} env DEBIAN_FRONTEND=noninteractive apt-get -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=120 upgrade`
      ],
      'No updates are waiting.'
    ],
    [
      'template_download',
      'host:strong',
      { template: 'alpine-3.20-default_20240908_amd64.tar.xz' },
      ['pveam download local alpine-3.20-default_20240908_amd64.tar.xz'],
      'local:vztmpl/alpine-3.20-default_20240908_amd64.tar.xz is there.'
    ],
    ['vm_shutdown', 'vm:win', {}, ['qm shutdown 300 --timeout 180'], 'win (300) on strong is stopped.'],
    ['vm_start', 'vm:300', {}, ['qm start 300'], 'win (300) on strong is running.'],
    ['vm_stop', 'vm:win', {}, ['qm stop 300'], 'win (300) on strong is stopped.'],
    ['vm_reboot', 'vm:win', {}, ['qm reboot 300 --timeout 180'], 'win (300) on strong is running.'],
    [
      'vm_snapshot',
      'vm:win',
      { name: 'before' },
      ['qm snapshot 300 before'],
      'Snapshot before of win (300) on strong is there.'
    ],
    [
      'run',
      'host:strong',
      { command: 'mkdir -p /tmp/nomos-nothing && echo $((1 + 1))' },
      ["sh -c 'mkdir -p /tmp/nomos-nothing && echo $((1 + 1))'"],
      'It ended with exit code 0.'
    ]
  ])('%s on %s with %j', async (action, target, params, commands, summary) => {
    const on = await world()
    const ended = await on.carryOut(action, target, params)
    expect(texts(ended)).toEqual(commands)
    expect(ended.error).toBeNull()
    expect(ended).toMatchObject({ state: 'succeeded', verification: { ok: true, summary } })
    expect(ended.undo).not.toBe('')
  })

  it('pct_push puts the very bytes into the container, and leaves nothing behind', async () => {
    const on = await world()
    const content = 'it\'s "x" $HOME `id`\nsecond\\line\n\tend %s'
    const ended = await on.carryOut('pct_push', 'lxc:caddy', { path: '/etc/caddy/site', content })
    expect(ended).toMatchObject({ state: 'succeeded', verification: { ok: true } })
    expect(readFileSync(on.host.inside(200, '/etc/caddy/site'), 'utf8')).toBe(content)
    const file = ended.commands[0]?.argv.at(-1) ?? ''
    expect(file).toMatch(/^\/tmp\/nomos-[0-9a-f]{24}$/)
    expect(existsSync(file)).toBe(false)
  })

  it('pct_pull copies a file out and compares it', async () => {
    const on = await world()
    on.host.writeInside(200, '/etc/conf', 'hello')
    const hostFile = join(tempFolder(), 'copy')
    expect(await on.carryOut('pct_pull', 'lxc:caddy', { path: '/etc/conf', hostFile })).toMatchObject({
      state: 'succeeded'
    })
    expect(readFileSync(hostFile, 'utf8')).toBe('hello')
  })

  it('pct_rollback and pct_delsnapshot name a snapshot that is there', async () => {
    const on = await world()
    expect(await refusal(on, 'pct_rollback', 'lxc:caddy', { snapshot: 'before' })).toMatchObject({
      code: 'snapshot_not_found'
    })
    await on.carryOut('pct_snapshot', 'lxc:caddy', { name: 'before' })
    expect(await on.carryOut('pct_rollback', 'lxc:caddy', { snapshot: 'before', start: true })).toMatchObject(
      { state: 'succeeded' }
    )
    expect(await on.carryOut('pct_delsnapshot', 'lxc:caddy', { snapshot: 'before' })).toMatchObject({
      state: 'succeeded'
    })
  })

  it('vm_rollback and vm_delsnapshot name a snapshot that is there, are destructive and proven', async () => {
    const on = await world()
    for (const action of ['vm_rollback', 'vm_delsnapshot'])
      expect(await refusal(on, action, 'vm:win', { snapshot: 'before' })).toMatchObject({
        code: 'snapshot_not_found'
      })
    expect(await refusal(on, 'vm_rollback', 'lxc:caddy', { snapshot: 'before' })).toMatchObject({
      code: 'target_invalid'
    })
    await on.carryOut('vm_snapshot', 'vm:win', { name: 'before' })
    const rolledBack = await on.carryOut('vm_rollback', 'vm:win', { snapshot: 'before' })
    expect(texts(rolledBack)).toEqual(['qm rollback 300 before'])
    expect(rolledBack).toMatchObject({
      ...{
        state: 'succeeded',
        risk: 'destructive',
        title: 'Roll virtual machine win (300) on strong back to before'
      },
      verification: { ok: true, summary: 'win (300) on strong is stopped.' }
    })
    const started = await on.carryOut('vm_rollback', 'vm:win', { snapshot: 'before', start: true })
    expect(texts(started)).toEqual(['qm rollback 300 before --start 1'])
    expect(started.verification?.summary).toBe('win (300) on strong is running.')
    const deleted = await on.carryOut('vm_delsnapshot', 'vm:win', { snapshot: 'before' })
    expect(texts(deleted)).toEqual(['qm delsnapshot 300 before'])
    expect(deleted).toMatchObject({
      ...{ state: 'succeeded', risk: 'destructive' },
      verification: { ok: true, summary: 'Snapshot before of win (300) on strong is gone.' }
    })
  })

  it('a snapshot that holds the memory of its VM says so, and the VM is expected to run after the rollback', async () => {
    const on = await world()
    await on.carryOut('vm_snapshot', 'vm:win', { name: 'live' })
    on.host.set('qemu/300/with-memory', 'live\n')
    const ended = await on.carryOut('vm_rollback', 'vm:win', { snapshot: 'live' })
    expect(ended.title).toBe('Roll virtual machine win (300) on strong back to live, with its memory')
    expect(ended).toMatchObject({
      state: 'succeeded',
      verification: { ok: true, summary: 'win (300) on strong is running.' }
    })
  })

  it('what only reads runs without asking, and its output is there', async () => {
    const on = await world()
    const requested = await on.request('pct_exec', 'lxc:caddy', { command: ['echo', 'a b', '$HOME'] })
    expect(requested).toMatchObject({ state: 'approved', risk: 'read_only', approvalId: null })
    expect(await on.executions.settled(requested.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(await on.executions.outputForModel(requested.id)).toBe('── run ──\na b $HOME\n')
    expect(on.executions.markDelivered(requested.id, 'message')).toBe(true)
    expect(on.executions.markDelivered(requested.id, 'other')).toBe(false)
  })
})

describe('exit 0 is no proof', () => {
  it('a push that returned 0 and wrote nothing has failed', async () => {
    const on = await world()
    on.host.set('silent-push-failure', '')
    const ended = await on.carryOut('pct_push', 'lxc:caddy', { path: '/etc/x', content: 'x' })
    expect(ended).toMatchObject({
      state: 'failed',
      exitCode: 0,
      error: { code: 'verification_failed' },
      verification: { ok: false }
    })
  })

  it('a download that returned 0 and is not there has failed', async () => {
    const on = await world()
    on.host.set('silent-download-failure', '')
    const ended = await on.carryOut('template_download', 'host:strong', {
      template: 'debian-11-standard_11.7-1_amd64.tar.zst'
    })
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'verification_failed' } })
  })

  it('a snapshot that is still there after it was deleted has not been deleted', async () => {
    const on = await world()
    await on.carryOut('vm_snapshot', 'vm:win', { name: 'before' })
    on.host.set('silent-delsnapshot-failure', '')
    const ended = await on.carryOut('vm_delsnapshot', 'vm:win', { snapshot: 'before' })
    expect(ended).toMatchObject({
      ...{ state: 'failed', exitCode: 0, error: { code: 'verification_failed' } },
      verification: { ok: false, summary: 'Snapshot before of win (300) on strong is still there.' }
    })
  })

  it('a refusal of Proxmox to roll back is told with what to do', async () => {
    const on = await world()
    await on.carryOut('vm_snapshot', 'vm:win', { name: 'before' })
    for (const [text, code, hint] of [
      [
        "can't rollback, 'before' is not most recent snapshot on 'tank'",
        'snapshot_not_newest',
        /newer ones first/
      ],
      ['VM is locked (backup)', 'guest_locked', /wait until the lock is gone/]
    ] as const) {
      on.host.failNext('qm-rollback', text)
      const ended = await on.carryOut('vm_rollback', 'vm:win', { snapshot: 'before' })
      expect(ended).toMatchObject({ state: 'failed', error: { code } })
      expect(ended.error?.hint).toMatch(hint)
    }
  })

  it('a unit that does not stay up has failed', async () => {
    const on = await world()
    on.host.writeInside(200, '/units/caddy.broken', '')
    const ended = await on.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    expect(ended).toMatchObject({
      state: 'failed',
      error: { code: 'verification_failed' },
      verification: { summary: 'caddy is failed.' }
    })
  })

  it('a create that reports failure tells what it has left behind', async () => {
    const on = await world()
    on.host.failNext('pct-start', "startup for container '100' failed")
    const ended = await on.carryOut('pct_create', 'lxc:web@strong')
    expect(ended).toMatchObject({ state: 'failed', step: 'start', error: { code: 'start_failed' } })
    expect(ended.verification).toMatchObject({
      ok: false,
      summary: 'web (100) on strong exists and is stopped.'
    })
  })
})

describe('what cannot work is refused before it is asked for', () => {
  it.each<[string, string, Record<string, unknown>, string, RegExp]>([
    ['pct_creat', 'lxc:x@strong', {}, 'action_unknown', /no action "pct_creat"/],
    ['pct_start', 'caddy', {}, 'target_invalid', /does not name a target/],
    ['pct_start', 'vm:win', {}, 'target_invalid', /does not act on a virtual machine/],
    ['pct_start', 'lxc:nobody', {}, 'target_not_found', /no container nobody/],
    ['pct_start', 'lxc:caddy@weak', {}, 'target_not_found', /no container caddy on weak/],
    ['run', 'host:weak', { command: 'df' }, 'host_unknown', /no host named weak/],
    ['pct_create', 'lxc:x@weak', {}, 'host_unknown', /no host named weak/],
    ['pct_create', 'lxc:my_app@strong', {}, 'hostname_invalid', /Use my-app\./],
    [
      'pct_create',
      'lxc:x@strong',
      { hostname: 'my_app' },
      'params_invalid',
      /hostname: "my_app" is not a hostname.*Use my-app\./
    ],
    ['pct_create', 'lxc:105@strong', {}, 'hostname_invalid', /needs a name/],
    ['pct_create', 'lxc:caddy@strong', {}, 'name_taken', /already a guest named caddy/],
    ['pct_create', 'lxc:x@strong', { vmid: 200 }, 'vmid_taken', /VMID 200 is in use by caddy/],
    ['pct_create', 'lxc:x@strong', { vmid: 300 }, 'vmid_taken', /VMID 300 is in use/],
    ['pct_create', 'lxc:x@strong', { template: 'windows' }, 'template_not_found', /no template windows/],
    ['pct_create', 'lxc:x@strong', { storage: 'nowhere' }, 'storage_not_found', /no storage nowhere/],
    ['pct_create', 'lxc:x@strong', { storage: 'local' }, 'storage_unusable', /does not hold containers/],
    ['pct_create', 'lxc:x@strong', { diskGiB: 500 }, 'no_space', /100\.0 GiB free; 500 GiB are needed/],
    [
      'pct_create',
      'lxc:x@strong',
      { mounts: [{ source: '/nowhere/at/all', path: '/data' }] },
      'mount_source_missing',
      /\/nowhere\/at\/all does not exist/
    ],
    ['pct_exec', 'lxc:db', { command: ['df'] }, 'guest_stopped', /not running/],
    ['pct_push', 'lxc:caddy', { path: '/x' }, 'params_invalid', /either content or hostFile/],
    [
      'pct_exec',
      'lxc:caddy',
      { command: ['df'], script: 'df' },
      'params_invalid',
      /either command .* or script/
    ],
    ['pct_exec', 'lxc:caddy', { script: 'ls \u001b[2K' }, 'command_refused', /control characters/],
    ['run', 'host:strong', { command: 'rm -rf /' }, 'command_refused', /remove the system/],
    ['restart', 'host:strong', {}, 'params_invalid', /needs the service/],
    ['systemctl', 'lxc:caddy', { verb: 'explode', unit: 'caddy' }, 'params_invalid', /verb: one of start/],
    [
      'systemctl',
      'lxc:caddy',
      { verb: 'start', unit: '--help' },
      'params_invalid',
      /unit: the name of a systemd unit/
    ],
    ['pct_start', 'lxc:db', { force: true }, 'params_invalid', /force/],
    ['pct_clone', 'lxc:caddy', { name: 'x' }, 'guest_running', /is running/],
    ['template_download', 'host:strong', { template: '../../etc/passwd' }, 'params_invalid', /template/]
  ])('%s on %s with %j: %s', async (action, target, params, code, message) => {
    const on = await world()
    const error = await refusal(on, action, target, params)
    expect(error).toMatchObject({ code })
    expect(error.message).toMatch(message)
    expect(on.host.jobs()).toEqual([])
  })

  it('B25: a VMID that is none is a field error', async () => {
    const on = await world()
    for (const vmid of [-1, 0, 99, 1e9 + 1, '101; x', '0x65', '101 ', NaN, 101.5, null])
      expect(await refusal(on, 'pct_create', 'lxc:x@strong', { vmid })).toMatchObject({
        code: 'params_invalid',
        message: expect.stringContaining('vmid: ') as string
      })
  })

  it('B27: sizes that are none are field errors', async () => {
    const on = await world()
    for (const [field, value] of [
      ['memoryMiB', 0],
      ['memoryMiB', -5],
      ['memoryMiB', NaN],
      ['memoryMiB', '1e999'],
      ['diskGiB', 0],
      ['diskGiB', -1],
      ['diskGiB', '8G'],
      ['cores', 0],
      ['cores', 1.5],
      ['swapMiB', -1]
    ] as const)
      expect(await refusal(on, 'pct_create', 'lxc:x@strong', { [field]: value })).toMatchObject({
        code: 'params_invalid',
        message: expect.stringContaining(`${field}: `) as string
      })
  })

  it('a locked, protected or templated guest is left alone', async () => {
    const on = await openWorld()
    on.host.addContainer(210, 'busy', 'stopped', { lock: 'backup' })
    on.host.addContainer(211, 'safe', 'stopped', { protection: '1' })
    on.host.addContainer(212, 'base', 'stopped', { template: '1' })
    on.host.addContainer(213, 'bound', 'stopped', { mp0: '/srv/media,mp=/media' })
    expect(await refusal(on, 'pct_start', 'lxc:busy')).toMatchObject({ code: 'guest_locked' })
    expect(await refusal(on, 'pct_destroy', 'lxc:safe')).toMatchObject({ code: 'guest_protected' })
    expect(await refusal(on, 'pct_start', 'lxc:base')).toMatchObject({ code: 'guest_is_template' })
    expect(await refusal(on, 'pct_snapshot', 'lxc:bound', { name: 'a1' })).toMatchObject({
      code: 'snapshot_not_possible'
    })
  })

  it('B28: a host that cannot be reached says so', async () => {
    const host = await startPveHost()
    onTestFinished(() => host.stop())
    await host.sshd.halt()
    const on = await openWorld({ host })
    expect(await refusal(on, 'pct_create', 'lxc:x@strong')).toMatchObject({ code: 'host_unreachable' })
  })

  it('B28: a guest that has gone since it was approved is not acted on', async () => {
    const on = await world()
    const requested = await on.request('pct_start', 'lxc:db')
    on.host.removeContainer(201)
    on.approve(requested)
    const ended = await on.executions.settled(requested.id, 30_000)
    expect(ended.state).toBe('failed')
    expect(['guest_gone', 'target_not_found']).toContain(ended.error?.code)
    expect(on.host.jobs()).toEqual([])
  })
})

describe('the registry', () => {
  it('offers every action with a JSON schema of its params', async () => {
    const on = await openWorld()
    const offered = on.executions.actions()
    expect(offered.map((action) => action.name)).toEqual(actions.map((action) => action.name))
    for (const action of offered) expect(action.params).toMatchObject({ type: 'object' })
  })

  it('runs an execution again as a new one', async () => {
    const on = await world()
    const first = await on.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    const again = good(await on.executions.rerun(first.id, 'operator'))
    expect(again).toMatchObject({
      state: 'awaiting_approval',
      origin: 'operator',
      action: 'systemctl',
      params: first.params
    })
    expect(again.id).not.toBe(first.id)
  })

  it('finds executions by words and by state', async () => {
    const on = await world()
    await on.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    await on.request('pct_start', 'lxc:db')
    expect(on.executions.list({ query: 'caddy' }).total).toBe(1)
    expect(on.executions.list({ query: '100%_' }).total).toBe(0)
    expect(on.executions.list({ state: 'waiting' }).executions.map((each) => each.target)).toEqual(['lxc:db'])
    expect(on.executions.list({ state: 'succeeded' }).total).toBe(1)
    const newest = on.executions.list({ limit: 1 }).executions[0]
    expect(on.executions.list({ before: newest?.id ?? '' })).toMatchObject({
      total: 2,
      executions: [{ action: 'systemctl' }]
    })
  })
})
