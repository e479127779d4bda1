import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startLab, type Lab } from '../../../src-main/lab/lab'
import { temporaryFolder } from './folder'
import { connect, type LabClient } from './client'

let lab: Lab
let strong: LabClient

beforeEach(async () => {
  lab = await startLab({ folder: temporaryFolder(), pace: 0.01 })
  strong = await connect(lab)
})
afterEach(async () => {
  strong.end()
  await lab.stop()
})

const create = (vmid: string, ...more: string[]) =>
  strong.argv('pct', 'create', vmid, 'local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst', ...more)
const usual = [
  '--hostname',
  'typetype',
  '--cores',
  '2',
  '--memory',
  '2048',
  '--rootfs',
  'local-lvm:8',
  '--net0',
  'name=eth0,bridge=vmbr0,ip=dhcp',
  '--features',
  'nesting=1',
  '--unprivileged',
  '1'
]
const inside = (vmid: string, ...argv: string[]) =>
  strong.argv(
    'pct',
    'exec',
    vmid,
    '--',
    'env',
    '-i',
    'HOME=/root',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'LC_ALL=C.UTF-8',
    ...argv
  )

describe('the simulated cluster', () => {
  it('tells every guest, storage and node in one call of pvesh', async () => {
    const { code, out } = await strong.argv('pvesh', 'get', '/cluster/resources', '--output-format', 'json')
    expect(code).toBe(0)
    const all = JSON.parse(out) as { type: string; name?: string; vmid?: number; status: string }[]
    expect(all.filter((each) => each.type === 'node').map((each) => each.status)).toEqual([
      'online',
      'online'
    ])
    expect(all.find((each) => each.vmid === 101)).toMatchObject({
      type: 'lxc',
      name: 'caddy',
      node: 'strong',
      status: 'running'
    })
    expect(all.find((each) => each.vmid === 200)).toMatchObject({ type: 'qemu', name: 'home-assistant' })
    expect(all.filter((each) => each.type === 'storage')).toHaveLength(4)
  })

  it('draws a table without an output format and names paths that are not there', async () => {
    expect((await strong.run('pvesh get /version')).out).toContain('┌')
    expect(await strong.run('pvesh get /nope --output-format json')).toMatchObject({
      code: 2,
      err: "no such resource '/nope'\n"
    })
  })

  it('lists the containers of this node alone, with a blank lock', async () => {
    const { out } = await strong.argv('pct', 'list')
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^VMID {7}Status {5}Lock {9}Name/)
    expect(out).toMatch(/^101 {8}running {17}caddy {15,}$/m)
    expect(out).not.toContain('pihole')
  })

  it('refuses a container that lives on another node as pct does', async () => {
    expect(await strong.argv('pct', 'status', '100')).toMatchObject({
      code: 2,
      err: "Configuration file 'nodes/strong/lxc/100.conf' does not exist\n"
    })
  })

  it('creates, starts, shuts down and destroys a container with the lines of the real thing', async () => {
    const made = await create('105', ...usual)
    expect(made.code).toBe(0)
    expect(made.out).toContain('Logical volume "vm-105-disk-0" created.')
    expect(made.out).toContain('Detected container architecture: amd64')
    expect(made.out).toMatch(/Creating SSH host key 'ssh_host_ed25519_key'/)
    expect((await strong.argv('pct', 'config', '105')).out).toContain(
      'rootfs: local-lvm:vm-105-disk-0,size=8G'
    )
    expect((await strong.argv('pct', 'start', '105')).code).toBe(0)
    expect(await strong.argv('pct', 'start', '105')).toMatchObject({
      code: 255,
      err: 'CT 105 already running\n'
    })
    expect(await strong.argv('pct', 'destroy', '105')).toMatchObject({
      code: 255,
      err: 'unable to destroy CT 105 - container is running\n'
    })
    expect((await strong.argv('pct', 'shutdown', '105')).code).toBe(0)
    expect((await strong.argv('pct', 'destroy', '105')).code).toBe(0)
    expect((await strong.argv('pct', 'status', '105')).code).toBe(2)
  })

  it.each([
    ['a VMID that exists', ['101', ...usual], "CT 101 already exists on node 'strong'"],
    [
      'a hostname with an underscore',
      ['105', '--hostname', 'type_type', '--rootfs', 'local-lvm:8'],
      'hostname: invalid format - value does not look like a valid DNS name'
    ],
    ['no space', ['105', '--hostname', 'x', '--rootfs', 'local-lvm:5000'], 'not enough free space ('],
    [
      'a storage that cannot hold containers',
      ['105', '--hostname', 'x', '--rootfs', 'local:8'],
      "storage 'local' does not support container directories"
    ],
    [
      'a storage that does not exist',
      ['105', '--hostname', 'x', '--rootfs', 'nope:8'],
      "storage 'nope' does not exist"
    ],
    ['an unknown option', ['105', '--hostnam', 'x'], 'Unknown option: hostnam\n400 unable to parse option']
  ])('refuses to create with %s', async (_what, [vmid = '', ...more], text) => {
    const made = await create(vmid, ...more)
    expect(made.code).not.toBe(0)
    expect(made.err).toContain(text)
    expect(lab.inspect().guests.some((guest) => guest.vmid === 105)).toBe(false)
  })

  it('refuses a template that is not there and downloads it with per cent lines', async () => {
    const volume = 'local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst'
    expect((await strong.argv('pct', 'create', '105', volume, ...usual)).err).toBe(
      `volume '${volume}' does not exist\n`
    )
    const got = await strong.run('pveam download local debian-13-standard_13.1-2_amd64.tar.zst')
    expect(got.code).toBe(0)
    expect(got.out).toContain('100%')
    expect((await strong.run('pveam list local')).out).toContain(volume)
    expect((await strong.run('pveam download local nope')).err).toContain('template: no such template')
  })

  it('holds the dpkg lock in a fresh container for the first apt-get, then lets it work', async () => {
    await create('105', ...usual, '--start', '1')
    const first = await inside('105', 'apt-get', 'install', '-y', 'nodejs', 'curl')
    expect(first).toMatchObject({ code: 100 })
    expect(first.err).toContain(
      'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 412 (unattended-upgr)'
    )
    const waited = await inside(
      '105',
      'apt-get',
      '-o',
      'DPkg::Lock::Timeout=60',
      'install',
      '-y',
      'nodejs',
      'curl'
    )
    expect(waited.code).toBe(0)
    expect(waited.out).toContain('Setting up nodejs')
    expect((await inside('105', 'curl', '--version')).code).toBe(2)
  })

  it('answers for tube.hubris.network only once route and service are there', async () => {
    const check = () =>
      strong.run(
        "curl -sS -g -o /dev/null -w '%{http_code}' --max-time 15 --url https://tube.hubris.network/"
      )
    expect(await check()).toMatchObject({ code: 35, out: '000' })
    await create('105', ...usual, '--start', '1')
    await strong.run(
      "printf 'tube.hubris.network {\\n  reverse_proxy typetype:3000\\n}\\n' > /tmp/route && pct push 101 /tmp/route /etc/caddy/conf.d/tube.hubris.network.caddy --perms 0644"
    )
    expect((await check()).out).toBe('000')
    expect((await inside('101', 'systemctl', 'reload', 'caddy.service')).code).toBe(0)
    expect((await check()).out).toBe('502')
    await inside('105', 'apt-get', '-o', 'DPkg::Lock::Timeout=-1', 'install', '-y', 'nodejs', 'curl')
    const script =
      "set -e\nmkdir -p /opt/typetype\ncurl -fsSL -o /tmp/t.tar.gz https://github.com/Priveetee/TypeType/releases/latest/download/typetype.tar.gz\ntar -xzf /tmp/t.tar.gz -C /opt/typetype --strip-components=1\ncat > /etc/systemd/system/typetype.service <<'UNIT'\n[Service]\nWorkingDirectory=/opt/typetype\nExecStart=/usr/bin/node /opt/typetype/server.js\nUNIT\nsystemctl daemon-reload"
    expect(await inside('105', 'sh', '-c', script)).toMatchObject({ code: 0, err: '' })
    expect((await inside('105', 'systemctl', 'enable', '--now', 'typetype.service')).code).toBe(0)
    expect((await inside('105', 'systemctl', 'is-active', 'typetype')).out).toBe('active\n')
    expect(await check()).toMatchObject({ code: 0, out: '200' })
  })

  it('tells why a hand-written unit does not start', async () => {
    await inside(
      '101',
      'sh',
      '-c',
      "printf '[Service]\\nExecStart=/opt/no/such\\n' > /etc/systemd/system/bad.service"
    )
    const started = await inside('101', 'systemctl', 'start', 'bad')
    expect(started.code).toBe(1)
    expect(started.err).toContain('Job for bad.service failed')
    expect((await inside('101', 'journalctl', '-u', 'bad', '--no-pager')).out).toContain(
      "Unable to locate executable '/opt/no/such'"
    )
    expect((await inside('101', 'systemctl', 'show', 'bad', '--property=ActiveState,Result')).out).toBe(
      'Result=exit-code\nActiveState=failed\n'
    )
  })

  it('has a failed vaultwarden with the reason in its journal', async () => {
    expect((await inside('102', 'systemctl', 'is-active', 'vaultwarden')).out).toBe('failed\n')
    expect(
      (await inside('102', 'journalctl', '-u', 'vaultwarden', '-n', '10', '--no-pager', '-o', 'short-iso'))
        .out
    ).toContain('OOM killer')
    expect((await inside('102', 'systemctl', 'restart', 'vaultwarden')).code).toBe(0)
  })

  it('starts old-test again before it is destroyed for the first time; the second time it works', async () => {
    expect((await strong.argv('pct', 'destroy', '110')).err).toContain('container is running')
    expect((await strong.argv('pct', 'shutdown', '110')).code).toBe(0)
    expect((await strong.argv('pct', 'status', '110')).out).toBe('status: stopped\n')
    expect(await strong.argv('pct', 'destroy', '110')).toMatchObject({
      code: 255,
      err: 'unable to destroy CT 110 - container is running\n'
    })
    expect((await strong.argv('pct', 'status', '110')).out).toBe('status: running\n')
    expect((await strong.argv('pct', 'shutdown', '110')).code).toBe(0)
    expect((await strong.argv('pct', 'destroy', '110')).code).toBe(0)
  })

  it('keeps a protected container and says so', async () => {
    await strong.argv('pct', 'shutdown', '104')
    expect((await strong.argv('pct', 'destroy', '104')).err).toBe(
      "can't remove CT 104 - protection mode enabled\n"
    )
  })

  it('takes, lists, rolls back and deletes snapshots, and refuses with a bind mount', async () => {
    expect((await strong.argv('pct', 'snapshot', '101', 'before')).code).toBe(0)
    expect((await strong.argv('pct', 'listsnapshot', '101')).out).toMatch(/`-> before[\s\S]*You are here!/)
    expect((await strong.argv('pct', 'snapshot', '101', 'before')).err).toBe(
      "snapshot name 'before' already used\n"
    )
    await inside('101', 'rm', '/etc/caddy/Caddyfile')
    expect((await strong.argv('pct', 'rollback', '101', 'before', '--start', '1')).code).toBe(0)
    expect((await inside('101', 'cat', '/etc/caddy/Caddyfile')).out).toContain('import conf.d')
    expect((await strong.argv('pct', 'delsnapshot', '101', 'before')).code).toBe(0)
    expect((await strong.argv('pct', 'snapshot', '103', 'x1')).err).toBe(
      'snapshot feature is not available\n'
    )
  })

  it('says 0 for a resize that failed: only reading back tells', async () => {
    const resized = await strong.argv('pct', 'resize', '101', 'rootfs', '+9000G')
    expect(resized.code).toBe(0)
    expect((await strong.argv('pct', 'config', '101')).out).toContain('size=4G')
    expect((await strong.argv('pct', 'resize', '101', 'rootfs', '2G')).err).toBe(
      'unable to shrink disk size\n'
    )
    await strong.argv('pct', 'resize', '101', 'rootfs', '+2G')
    expect((await strong.argv('pct', 'config', '101')).out).toContain('size=6G')
  })

  it('refuses to work on a locked container', async () => {
    const slow = await startLab({ folder: temporaryFolder(), pace: 20 })
    const host = await connect(slow)
    void host.argv('pct', 'snapshot', '106', 'slow')
    await expect.poll(() => slow.inspect().guests.find((guest) => guest.vmid === 106)?.lock).toBe('snapshot')
    expect((await host.argv('pct', 'shutdown', '106')).err).toBe('CT is locked (snapshot)\n')
    host.end()
    await slow.stop()
  })

  it('checks the configuration of the reverse proxy', async () => {
    const check = () => inside('101', 'caddy', 'validate', '--config', '/etc/caddy/Caddyfile')
    expect(await check()).toMatchObject({ code: 0, out: 'Valid configuration\n' })
    await inside('101', 'sh', '-c', 'echo "x.example {" > /etc/caddy/conf.d/x.caddy')
    expect(await check()).toMatchObject({ code: 1 })
    await inside('101', 'rm', '/etc/caddy/conf.d/x.caddy')
  })

  it('lists folders inside folders', async () => {
    expect((await inside('101', 'ls', '-R', '/etc/caddy')).out).toMatch(
      /^\/etc\/caddy:\nCaddyfile\nconf\.d\n\n\/etc\/caddy\/conf\.d:\n.*media\.hubris\.network\.caddy\n/s
    )
  })

  it('upgrades packages and then has none waiting', async () => {
    expect((await inside('101', 'apt', 'list', '--upgradable')).out).toContain('[upgradable from: 2.8.4]')
    expect((await inside('101', 'apt-get', '-y', 'upgrade')).code).toBe(0)
    expect((await inside('101', 'apt', 'list', '--upgradable')).out).toBe('Listing...\n')
  })

  it('answers about virtual machines with qm', async () => {
    expect((await strong.argv('qm', 'list')).out).toMatch(/^ {7}200 home-assistant/m)
    expect((await strong.argv('qm', 'start', '200')).err).toBe('VM 200 already running\n')
    expect((await strong.argv('qm', 'shutdown', '200')).code).toBe(0)
    expect((await strong.argv('qm', 'status', '200')).out).toBe('status: stopped\n')
  })

  it('prints nothing for pct list on a node without containers', async () => {
    const quiet = await connect(lab, 'quiet')
    for (const vmid of ['100', '107', '108']) {
      await quiet.argv('pct', 'shutdown', vmid)
      expect((await quiet.argv('pct', 'destroy', vmid)).code).toBe(0)
    }
    expect(await quiet.argv('pct', 'list')).toEqual({ code: 0, out: '', err: '' })
    quiet.end()
  })

  it('tells open ports by bash, ss and nc', async () => {
    const port = (host: string, number: string) =>
      strong.argv('timeout', '8', 'bash', '-c', 'exec 3<>"/dev/tcp/$1/$2"', 'check_port', host, number)
    expect((await port('caddy', '443')).code).toBe(0)
    expect(await port('caddy', '444')).toMatchObject({ code: 1 })
    expect((await port('vaultwarden', '8000')).err).toContain('Connection refused')
    expect((await inside('101', 'ss', '-tln')).out).toContain(':443')
  })
})
