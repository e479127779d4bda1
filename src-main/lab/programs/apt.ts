import { service } from '../world/services'
import type { Machine, Service } from '../world/types'
import { type Call, die, type Programs } from '../shell/program'
import { options } from './options'

/** `apt-get`, `apt`, `dpkg`. In a fresh container the first run meets unattended-upgrades, which holds the lock. */
export const aptPrograms: Programs = {
  'apt-get': { run: apt },
  apt: { run: apt },
  dpkg: { run: dpkg },
  'dpkg-query': { run: dpkg }
}

/** Milliseconds, at pace 1, for which unattended-upgrades still holds the lock after it was first met. */
const lockMs = 2500

const holder = 'process 412 (unattended-upgr)'

function apt(call: Call): number {
  const opts = options(call.args, ['o', 'option', 't'])
  const [verb = '', ...names] = opts.rest
  if (verb === 'list') return list(call)
  if (verb === 'policy' || verb === 'show') return shown(call, names)
  if (opts.has('s', 'simulate', 'dry-run')) return simulated(call)
  switch (verb) {
    case 'update':
      return withLock(call, opts.value('o', 'option'), update)
    case 'install':
      return withLock(call, opts.value('o', 'option'), (inner) =>
        install(
          inner,
          names.map((n) => n.split('=')[0] ?? n)
        )
      )
    case 'upgrade':
    case 'dist-upgrade':
    case 'full-upgrade':
      return withLock(call, opts.value('o', 'option'), upgrade)
    case 'remove':
    case 'purge':
      return withLock(call, opts.value('o', 'option'), (inner) => remove(inner, names))
    case 'autoremove':
    case 'clean':
    case 'autoclean':
      call.wait(400)
      call.out(
        'Reading package lists...\nBuilding dependency tree...\nReading state information...\n0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n'
      )
      return 0
    default:
      return die(call, `E: Invalid operation ${verb}`, 100)
  }
}

function withLock(call: Call, option: string | undefined, work: (call: Call) => number): number {
  const { apt: state, id } = call.machine
  const held = state.fresh || state.lockedUntil > call.now()
  if (state.fresh) {
    const until = call.now() + lockMs * call.recording.pace
    call.change({ do: 'machine.set', machine: id, set: { apt: { fresh: false, lockedUntil: until } } })
  }
  if (!held) return work(call)
  const patience = Number(/DPkg::Lock::Timeout=(-?\d+)/i.exec(option ?? '')?.[1] ?? 0)
  const left = call.machine.apt.lockedUntil - call.now()
  if (patience < 0 || patience * 1000 >= left) {
    call.out(
      `Waiting for cache lock: Could not get lock /var/lib/dpkg/lock-frontend. It is held by ${holder}...\n`
    )
    call.recording.sleep(Math.max(0, left))
    return work(call)
  }
  call.wait(500)
  call.err(`E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by ${holder}\n`)
  call.err('N: Be aware that removing the lock file is not a solution and may break your system.\n')
  return die(
    call,
    'E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?',
    100
  )
}

function update(call: Call): number {
  const suites = ['bookworm', 'bookworm-security', 'bookworm-updates']
  suites.forEach((suite, index) => {
    call.wait(350)
    call.out(
      `Get:${index + 1} http://mirror.lab.example/debian ${suite} InRelease [${151 - index * 44} kB]\n`
    )
  })
  call.wait(700)
  call.out(
    'Fetched 9,352 kB in 1s (6,871 kB/s)\nReading package lists...\nBuilding dependency tree...\nReading state information...\n'
  )
  const waiting = call.machine.upgrades.length
  if (call.name === 'apt')
    call.out(
      waiting === 0
        ? 'All packages are up to date.\n'
        : `${waiting} packages can be upgraded. Run 'apt list --upgradable' to see them.\n`
    )
  return 0
}

/** Names that no archive has; every other well-formed name is taken to exist. */
const unknown = /typetype|no-?such|does-?not-?exist|nonexist|foobar/i

/** Packages that bring a service which starts at once. */
const services: Readonly<Record<string, () => Service>> = {
  nginx: () =>
    service('nginx.service', 'A high performance web server and a reverse proxy server', { ports: [80] }),
  caddy: () => service('caddy.service', 'Caddy', { ports: [80, 443] }),
  postgresql: () => service('postgresql.service', 'PostgreSQL RDBMS', { ports: [5432] }),
  'redis-server': () => service('redis-server.service', 'Advanced key-value store', { ports: [6379] }),
  'docker.io': () => service('docker.service', 'Docker Application Container Engine'),
  mariadb: () => service('mariadb.service', 'MariaDB database server', { ports: [3306] })
}

function install(call: Call, names: readonly string[]): number {
  call.out('Reading package lists...\nBuilding dependency tree...\nReading state information...\n')
  call.wait(600)
  const missing = names.filter((name) => unknown.test(name) || !/^[a-z0-9][a-z0-9+.-]+$/.test(name))
  if (missing.length > 0)
    return die(call, missing.map((name) => `E: Unable to locate package ${name}`).join('\n'), 100)
  const fresh = names.filter((name) => !call.machine.packages.includes(name))
  for (const name of names.filter((n) => !fresh.includes(n)))
    call.out(`${name} is already the newest version.\n`)
  if (fresh.length > 0) call.out(`The following NEW packages will be installed:\n  ${fresh.join(' ')}\n`)
  call.out(
    `0 upgraded, ${fresh.length} newly installed, 0 to remove and ${call.machine.upgrades.length} not upgraded.\n`
  )
  if (fresh.length === 0) return 0
  fresh.forEach((name, index) => {
    call.wait(250)
    call.out(
      `Get:${index + 1} http://mirror.lab.example/debian bookworm/main amd64 ${name} amd64 [${200 + name.length * 131} kB]\n`
    )
  })
  for (const name of fresh) {
    call.wait(300)
    call.out(
      `Selecting previously unselected package ${name}.\nPreparing to unpack .../${name}_amd64.deb ...\nUnpacking ${name} ...\n`
    )
  }
  fresh.forEach((name, index) => {
    call.wait(300)
    call.out(`Progress: [${String(Math.round(((index + 1) / fresh.length) * 100)).padStart(3)}%]\r`)
    call.out(`Setting up ${name} ...\n`)
    call.change({ do: 'package.add', machine: call.machine.id, names: [name] })
    const brought = services[name]?.()
    if (brought)
      call.change({ do: 'service.put', machine: call.machine.id, service: { ...brought, since: call.now() } })
  })
  call.wait(200)
  call.out('Processing triggers for libc-bin (2.36-9+deb12u8) ...\n')
  return 0
}

function upgrade(call: Call): number {
  const { upgrades, id } = call.machine
  call.out(
    'Reading package lists...\nBuilding dependency tree...\nReading state information...\nCalculating upgrade...\n'
  )
  call.wait(500)
  if (upgrades.length > 0)
    call.out(`The following packages will be upgraded:\n  ${upgrades.map((u) => u.name).join(' ')}\n`)
  call.out(`${upgrades.length} upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n`)
  upgrades.forEach((item, index) => {
    call.wait(500)
    call.out(
      `Preparing to unpack .../${item.name}_${item.to}_amd64.deb ...\nUnpacking ${item.name} (${item.to}) over (${item.from}) ...\n`
    )
    call.wait(250)
    call.out(
      `Progress: [${String(Math.round(((index + 1) / upgrades.length) * 100)).padStart(3)}%]\rSetting up ${item.name} (${item.to}) ...\n`
    )
    call.change({ do: 'machine.set', machine: id, set: { upgrades: upgrades.slice(index + 1) } })
  })
  return 0
}

function remove(call: Call, names: readonly string[]): number {
  call.wait(700)
  for (const name of names) call.out(`Removing ${name} ...\n`)
  call.change({ do: 'package.remove', machine: call.machine.id, names })
  return 0
}

const architecture = 'amd64'

/** `apt list --upgradable`; the warning is on stderr as apt prints it. */
function list(call: Call): number {
  call.wait(400)
  if (call.name === 'apt')
    call.err('\nWARNING: apt does not have a stable CLI interface. Use with caution in scripts.\n\n')
  call.out('Listing...\n')
  if (call.args.includes('--upgradable') || call.args.includes('--upgradeable')) {
    for (const u of call.machine.upgrades)
      call.out(`${u.name}/${u.suite} ${u.to} ${architecture} [upgradable from: ${u.from}]\n`)
  } else
    for (const name of call.machine.packages) call.out(`${name}/now 1.0 ${architecture} [installed,local]\n`)
  return 0
}

function simulated(call: Call): number {
  call.wait(400)
  call.out(
    'NOTE: This is only a simulation!\nReading package lists...\nBuilding dependency tree...\nReading state information...\nCalculating upgrade...\n'
  )
  call.out(`${call.machine.upgrades.length} upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n`)
  for (const u of call.machine.upgrades)
    call.out(`Inst ${u.name} [${u.from}] (${u.to} Debian:${u.suite} [${architecture}])\n`)
  for (const u of call.machine.upgrades)
    call.out(`Conf ${u.name} (${u.to} Debian:${u.suite} [${architecture}])\n`)
  return 0
}

function shown(call: Call, names: readonly string[]): number {
  for (const name of names)
    call.out(
      `${name}:\n  Installed: ${call.machine.packages.includes(name) ? '1.0' : '(none)'}\n  Candidate: 1.0\n`
    )
  return 0
}

function dpkg(call: Call): number {
  const machine: Machine = call.machine
  const wanted = call.args.filter((arg) => !arg.startsWith('-'))
  const missing = wanted.filter((name) => !machine.packages.includes(name))
  if (missing.length > 0)
    return die(call, missing.map((name) => `dpkg-query: no packages found matching ${name}`).join('\n'), 1)
  const names = wanted.length > 0 ? wanted : machine.packages
  if (call.args.some((arg) => arg.startsWith('-W'))) for (const name of names) call.out(`${name}\t1.0\n`)
  else if (call.args.includes('-s'))
    for (const name of names) call.out(`Package: ${name}\nStatus: install ok installed\nVersion: 1.0\n`)
  else
    for (const name of names) call.out(`ii  ${name.padEnd(30)} 1.0          ${architecture}        ${name}\n`)
  return 0
}
