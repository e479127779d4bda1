import { bootServices, failed, haltServices, service } from './services'
import { machine } from './machines'
import type { Guest, JournalEntry, Machine, Service, Upgrade, World } from './types'

const hour = 3600_000
const day = 24 * hour

interface Sketch {
  readonly vmid: number
  readonly name: string
  readonly node: 'strong' | 'quiet'
  readonly kind?: 'vm'
  readonly status?: 'stopped'
  readonly template?: boolean
  readonly upDays: number
  readonly cores: number
  readonly memory: number
  readonly disk: number
  readonly used: number
  readonly cpu: number
  readonly mem: number
  readonly tags: string
  readonly config?: Readonly<Record<string, string>>
  readonly services?: readonly Service[]
  readonly files?: Readonly<Record<string, string>>
  readonly packages?: readonly string[]
  readonly upgrades?: readonly Upgrade[]
  readonly watchdog?: boolean
}

const up = (name: string, from: string, to: string, suite = 'stable-security'): Upgrade => ({
  name,
  suite,
  from,
  to
})
const site = (host: string, upstream: string) => `${host} {\n  reverse_proxy ${upstream}\n}\n`

const sketches: readonly Sketch[] = [
  {
    vmid: 100,
    name: 'pihole',
    node: 'quiet',
    upDays: 12,
    cores: 1,
    memory: 512,
    disk: 8,
    used: 2.4,
    cpu: 0.02,
    mem: 0.31,
    tags: 'dns',
    config: { net0: net('100', 'E1', '192.168.1.100') },
    services: [
      service('pihole-FTL.service', 'Pi-hole FTL', { ports: [53, 80], program: '/usr/bin/pihole-FTL -f' })
    ],
    upgrades: [
      up('libc6', '2.36-9+deb12u8', '2.36-9+deb12u13'),
      up('tzdata', '2024a-0+deb12u1', '2025b-0+deb12u2', 'stable')
    ]
  },
  {
    vmid: 101,
    name: 'caddy',
    node: 'strong',
    upDays: 41,
    cores: 1,
    memory: 512,
    disk: 4,
    used: 1.3,
    cpu: 0.01,
    mem: 0.22,
    tags: 'proxy;web',
    services: [
      service('caddy.service', 'Caddy', {
        ports: [80, 443],
        program: '/usr/bin/caddy run --environ --config /etc/caddy/Caddyfile'
      })
    ],
    files: {
      '/etc/caddy/Caddyfile': '{\n  email admin@hubris.network\n}\n\nimport conf.d/*.caddy\n',
      '/etc/caddy/conf.d/vault.hubris.network.caddy': site('vault.hubris.network', 'vaultwarden:8000'),
      '/etc/caddy/conf.d/media.hubris.network.caddy': site('media.hubris.network', 'jellyfin:8096'),
      '/etc/caddy/conf.d/git.hubris.network.caddy': site('git.hubris.network', 'gitea:3000')
    },
    packages: ['caddy', 'curl'],
    upgrades: [
      up('caddy', '2.8.4', '2.10.2', 'stable'),
      up('libssl3', '3.0.14-1~deb12u2', '3.0.17-1~deb12u3')
    ]
  },
  {
    vmid: 102,
    name: 'vaultwarden',
    node: 'strong',
    upDays: 41,
    cores: 2,
    memory: 256,
    disk: 6,
    used: 2.1,
    cpu: 0,
    mem: 0.18,
    tags: 'passwords;web',
    services: [
      service('vaultwarden.service', 'Vaultwarden', {
        ports: [8000],
        program: '/opt/vaultwarden/vaultwarden',
        exitStatus: 9,
        restarts: 5
      })
    ],
    files: { '/opt/vaultwarden/.env': 'ROCKET_PORT=8000\nDATABASE_URL=/var/lib/vaultwarden/db.sqlite3\n' },
    packages: ['curl']
  },
  {
    vmid: 103,
    name: 'jellyfin',
    node: 'strong',
    upDays: 23,
    cores: 4,
    memory: 6144,
    disk: 32,
    used: 19.7,
    cpu: 0.16,
    mem: 0.71,
    tags: 'media',
    config: { mp0: '/mnt/media,mp=/media,ro=1', features: 'nesting=1' },
    services: [
      service('jellyfin.service', 'Jellyfin Media Server', {
        ports: [8096],
        program: '/usr/bin/jellyfin --webdir /usr/share/jellyfin/web'
      })
    ],
    upgrades: [up('jellyfin-server', '10.9.11', '10.10.7', 'bookworm')]
  },
  {
    vmid: 104,
    name: 'gitea',
    node: 'strong',
    upDays: 41,
    cores: 2,
    memory: 2048,
    disk: 20,
    used: 11.2,
    cpu: 0.02,
    mem: 0.38,
    tags: 'git;web',
    config: { protection: '1' },
    services: [
      service('gitea.service', 'Gitea (Git with a cup of tea)', {
        ports: [3000, 2222],
        program: '/usr/local/bin/gitea web'
      }),
      service('postgresql.service', 'PostgreSQL RDBMS', {
        ports: [5432],
        program: '/usr/lib/postgresql/15/bin/postgres'
      })
    ],
    upgrades: [up('git', '1:2.39.2-1.1', '1:2.39.5-0+deb12u2')]
  },
  {
    vmid: 106,
    name: 'grafana',
    node: 'strong',
    upDays: 9,
    cores: 2,
    memory: 1024,
    disk: 10,
    used: 3.6,
    cpu: 0.03,
    mem: 0.49,
    tags: 'monitoring',
    services: [
      service('grafana-server.service', 'Grafana instance', {
        ports: [3000],
        program: '/usr/share/grafana/bin/grafana server'
      }),
      service('prometheus.service', 'Monitoring system and time series database', { ports: [9090] })
    ]
  },
  {
    vmid: 107,
    name: 'uptime-kuma',
    node: 'quiet',
    upDays: 12,
    cores: 1,
    memory: 1024,
    disk: 6,
    used: 2.9,
    cpu: 0.04,
    mem: 0.35,
    tags: 'monitoring',
    services: [
      service('uptime-kuma.service', 'Uptime Kuma', {
        ports: [3001],
        program: '/usr/bin/node /opt/uptime-kuma/server/server.js'
      })
    ],
    packages: ['nodejs']
  },
  {
    vmid: 108,
    name: 'paperless',
    node: 'quiet',
    status: 'stopped',
    upDays: 0,
    cores: 2,
    memory: 2048,
    disk: 24,
    used: 13.8,
    cpu: 0.05,
    mem: 0.5,
    tags: 'documents',
    config: { onboot: '0' },
    services: [service('paperless-webserver.service', 'Paperless-ngx web server', { ports: [8000] })]
  },
  {
    vmid: 110,
    name: 'old-test',
    node: 'strong',
    upDays: 120,
    cores: 1,
    memory: 512,
    disk: 4,
    used: 0.9,
    cpu: 0.005,
    mem: 0.12,
    tags: 'test',
    config: { description: 'Played with nginx here. Can go.%0A' },
    services: [
      service('nginx.service', 'A high performance web server and a reverse proxy server', { ports: [80] })
    ],
    packages: ['nginx'],
    watchdog: true
  },
  {
    vmid: 200,
    name: 'home-assistant',
    node: 'strong',
    kind: 'vm',
    upDays: 41,
    cores: 2,
    memory: 4096,
    disk: 32,
    used: 0,
    cpu: 0.06,
    mem: 0.62,
    tags: 'automation',
    config: { agent: '1', ostype: 'l26' }
  },
  {
    vmid: 201,
    name: 'windows-lab',
    node: 'quiet',
    kind: 'vm',
    status: 'stopped',
    upDays: 0,
    cores: 4,
    memory: 8192,
    disk: 64,
    used: 0,
    cpu: 0.1,
    mem: 0.5,
    tags: '',
    config: { ostype: 'win11', onboot: '0' }
  },
  {
    vmid: 9000,
    name: 'debian12-base',
    node: 'strong',
    status: 'stopped',
    template: true,
    upDays: 0,
    cores: 1,
    memory: 512,
    disk: 4,
    used: 0.7,
    cpu: 0,
    mem: 0,
    tags: 'template',
    config: { onboot: '0' }
  }
]

function net(_vmid: string, last: string, address: string): string {
  return `name=eth0,bridge=vmbr0,gw=192.168.1.1,hwaddr=BC:24:11:5A:00:${last},ip=${address}/24,type=veth`
}

/** Adds the guests a new user meets, with the one whose service has failed. */
export function seedGuests(world: World, now: number): void {
  for (const sketch of sketches) {
    const guest = guestOf(sketch, now)
    world.guests[sketch.vmid] = guest
    if (guest.kind === 'vm') continue
    const inside = machineOf(sketch, guest, now)
    world.machines[inside.id] = inside
  }
  breakVaultwarden(world, now)
}

function guestOf(sketch: Sketch, now: number): Guest {
  const running = sketch.status !== 'stopped'
  const vm = sketch.kind === 'vm'
  const address = `192.168.1.${sketch.vmid % 256}`
  return {
    vmid: sketch.vmid,
    kind: vm ? 'vm' : 'lxc',
    node: sketch.node,
    status: running ? 'running' : 'stopped',
    startedAt: running ? now - sketch.upDays * day - sketch.vmid * 61_000 : null,
    pid: running ? 1000 + sketch.vmid * 17 : null,
    lock: null,
    template: sketch.template ?? false,
    config: { ...(vm ? vmConfig(sketch) : lxcConfig(sketch, address)), ...sketch.config },
    snapshots: [],
    cpuBase: sketch.cpu,
    memoryBase: sketch.mem,
    diskUsed: Math.round(sketch.used * 1024 ** 3),
    address,
    watchdog: sketch.watchdog ?? false
  }
}

const hexByte = (vmid: number) => (vmid % 256).toString(16).toUpperCase().padStart(2, '0')

const lxcConfig = (sketch: Sketch, address: string): Record<string, string> => ({
  arch: 'amd64',
  cores: String(sketch.cores),
  features: 'nesting=1',
  hostname: sketch.name,
  memory: String(sketch.memory),
  net0: net(String(sketch.vmid), hexByte(sketch.vmid), address),
  onboot: '1',
  ostype: 'debian',
  rootfs: `local-lvm:${sketch.template ? 'base' : 'vm'}-${sketch.vmid}-disk-0,size=${sketch.disk}G`,
  swap: '512',
  unprivileged: '1',
  ...(sketch.tags && { tags: sketch.tags }),
  ...(sketch.template && { template: '1' })
})

const vmConfig = (sketch: Sketch): Record<string, string> => ({
  boot: 'order=scsi0',
  cores: String(sketch.cores),
  memory: String(sketch.memory),
  name: sketch.name,
  net0: `virtio=BC:24:11:5A:01:${hexByte(sketch.vmid)},bridge=vmbr0`,
  onboot: '1',
  scsi0: `local-lvm:vm-${sketch.vmid}-disk-0,size=${sketch.disk}G`,
  scsihw: 'virtio-scsi-single',
  ...(sketch.tags && { tags: sketch.tags })
})

function machineOf(sketch: Sketch, guest: Guest, now: number): Machine {
  const since = guest.startedAt ?? now - 30 * day
  const common = [
    service('cron.service', 'Regular background program processing daemon', { since }),
    service('systemd-journald.service', 'Journal Service', {
      since,
      program: '/usr/lib/systemd/systemd-journald'
    }),
    service('ssh.service', 'OpenBSD Secure Shell server', {
      since,
      ports: [22],
      program: '/usr/sbin/sshd -D'
    })
  ]
  const inside = machine(`lxc:${sketch.vmid}`, sketch.name, 'debian-12', since, {
    services: [...(sketch.services ?? []).map((s) => ({ ...s, since })), ...common],
    files: { ...sketch.files },
    packages: [...(sketch.packages ?? [])],
    upgrades: [...(sketch.upgrades ?? [])],
    journal: (sketch.services ?? []).map((s) =>
      line(since, s.unit, 'systemd', 1, 6, `Started ${s.unit} - ${s.description}.`)
    )
  })
  if (guest.status === 'running') bootServices(inside, since)
  else haltServices(inside)
  return inside
}

const line = (
  at: number,
  unit: string,
  ident: string,
  pid: number,
  priority: number,
  message: string
): JournalEntry => ({
  at,
  unit,
  ident,
  pid,
  priority,
  message
})

/** Vaultwarden was killed for memory in the night and systemd gave up restarting it. */
function breakVaultwarden(world: World, now: number): void {
  const inside = world.machines['lxc:102']
  const unit = inside?.services['vaultwarden.service']
  if (!inside || !unit) return
  const at = now - 7 * hour
  Object.assign(unit, failed(unit, at), { result: 'oom-kill', exitStatus: 9 })
  const say = (offset: number, ident: string, pid: number, priority: number, message: string) =>
    inside.journal.push(line(at + offset, unit.unit, ident, pid, priority, message))
  say(-4000, 'vaultwarden', 418, 6, '[INFO] Starting scheduled attachment clean-up')
  say(-1200, 'vaultwarden', 418, 4, '[WARN] Icon download queue is growing: 2381 pending')
  say(
    0,
    'kernel',
    0,
    3,
    'Memory cgroup out of memory: Killed process 418 (vaultwarden) total-vm:612344kB, anon-rss:248120kB'
  )
  say(10, 'systemd', 1, 4, 'vaultwarden.service: A process of this unit has been killed by the OOM killer.')
  say(40, 'systemd', 1, 5, 'vaultwarden.service: Main process exited, code=killed, status=9/KILL')
  say(45, 'systemd', 1, 4, "vaultwarden.service: Failed with result 'oom-kill'.")
  say(5100, 'systemd', 1, 6, 'vaultwarden.service: Scheduled restart job, restart counter is at 5.')
  say(5110, 'systemd', 1, 4, 'vaultwarden.service: Start request repeated too quickly.')
  say(5120, 'systemd', 1, 3, 'Failed to start vaultwarden.service - Vaultwarden.')
}
