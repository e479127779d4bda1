import { nodeUsage, usageOf } from '../world/look'
import { type Call, die, nodeOf, type Programs } from '../shell/program'
import type { Node } from '../world/types'
import { options } from './options'

const gib = 1024 ** 3

/** Programs about the system itself and about other programs. */
export const systemPrograms: Programs = {
  hostname: { run: hostname },
  uname: { run: uname },
  whoami: { run: ({ out }) => (out('root\n'), 0) },
  id: {
    run: ({ args, out }) => (
      out(args.some((arg) => arg.startsWith('-u')) ? '0\n' : 'uid=0(root) gid=0(root) groups=0(root)\n'),
      0
    )
  },
  uptime: { run: uptime },
  date: { run: date },
  nproc: { run: (call) => (call.out(`${sizes(call).cpus}\n`), 0) },
  free: { run: free },
  df: { run: df },
  ps: { run: ps },
  pgrep: { run: pgrep },
  sleep: { run: sleep },
  env: { run: env },
  nice: { run: (call) => wrapped(call, ['n']) },
  ionice: { run: (call) => wrapped(call, ['c', 'n']) },
  nohup: { run: (call) => wrapped(call, []) },
  setsid: { run: (call) => wrapped(call, []) },
  stdbuf: { run: (call) => wrapped(call, ['o', 'e', 'i']) },
  sudo: { run: (call) => wrapped(call, ['u']) },
  timeout: { run: timeout },
  which: { run: which },
  sh: { run: sh },
  bash: { run: sh },
  dash: { run: sh },
  sync: { run: () => 0 },
  clear: { run: () => 0 },
  useradd: { run: () => 0 },
  adduser: { run: () => 0 },
  node: {
    run: (call) =>
      call.args[0]?.startsWith('-v') || call.args[0] === '--version' ? (call.out('v18.19.0\n'), 0) : 0,
    package: 'nodejs'
  },
  npm: { run: npm, package: 'npm' }
}

/** CPUs, memory and uptime of a node, or of the container one is in. */
function sizes(call: Call): { cpus: number; total: number; used: number; uptime: number; load: number } {
  const now = call.now()
  const name = nodeOf(call.machine)
  const node: Node | undefined = name === null ? undefined : call.world.nodes[name]
  if (node) {
    const usage = nodeUsage(call.world, node, now)
    return {
      cpus: node.cpus,
      total: node.memory,
      used: usage.memory,
      uptime: usage.uptime,
      load: usage.cpu * node.cpus
    }
  }
  const guest = call.world.guests[call.machine.id.slice('lxc:'.length)]
  if (!guest) return { cpus: 1, total: gib, used: 0, uptime: 0, load: 0 }
  const usage = usageOf(guest, now)
  return {
    cpus: usage.cores,
    total: usage.maxMemory,
    used: usage.memory,
    uptime: usage.uptime,
    load: usage.cpu * usage.cores
  }
}

function hostname(call: Call): number {
  const guest = call.world.guests[call.machine.id.slice('lxc:'.length)]
  const address = guest?.address ?? call.world.nodes[nodeOf(call.machine) ?? '']?.address ?? '127.0.0.1'
  if (call.args.includes('-I') || call.args.includes('-i')) call.out(`${address} \n`)
  else call.out(`${call.machine.hostname}${call.args.includes('-f') ? '.hubris.network' : ''}\n`)
  return 0
}

function uname({ args, out, machine }: Call): number {
  const kernel = '6.14.8-2-pve'
  if (args.includes('-r')) out(`${kernel}\n`)
  else if (args.includes('-m')) out('x86_64\n')
  else if (args.includes('-n')) out(`${machine.hostname}\n`)
  else if (args.includes('-a'))
    out(`Linux ${machine.hostname} ${kernel} #1 SMP PREEMPT_DYNAMIC PMX 6.14.8-2 x86_64 GNU/Linux\n`)
  else out('Linux\n')
  return 0
}

function uptime(call: Call): number {
  const { uptime: seconds, load } = sizes(call)
  const days = Math.floor(seconds / 86_400)
  const clock = new Date(call.now()).toISOString().slice(11, 19)
  if (call.args.includes('-p')) call.out(`up ${days} days\n`)
  else if (call.args.includes('-s'))
    call.out(`${new Date(call.now() - seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}\n`)
  else
    call.out(
      ` ${clock} up ${days} days, ${Math.floor((seconds % 86_400) / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')},  0 users,  load average: ${load.toFixed(2)}, 0.41, 0.38\n`
    )
  return 0
}

function date(call: Call): number {
  const at = new Date(call.now())
  const format = call.args.find((arg) => arg.startsWith('+'))?.slice(1)
  const iso = at.toISOString()
  const fields: Readonly<Record<string, string>> = {
    '%s': String(Math.floor(at.getTime() / 1000)),
    '%F': iso.slice(0, 10),
    '%T': iso.slice(11, 19),
    '%Y': iso.slice(0, 4),
    '%m': iso.slice(5, 7),
    '%d': iso.slice(8, 10),
    '%H': iso.slice(11, 13),
    '%M': iso.slice(14, 16),
    '%S': iso.slice(17, 19),
    '%N': `${iso.slice(20, 23)}000000`,
    '%z': '+0000'
  }
  call.out(
    `${format === undefined ? at.toUTCString() : format.replace(/%[a-zA-Z]/g, (key) => fields[key] ?? key)}\n`
  )
  return 0
}

function free(call: Call): number {
  const { total, used } = sizes(call)
  const unit = call.args.includes('-b')
    ? 1
    : call.args.includes('-m')
      ? 1024 ** 2
      : call.args.includes('-h')
        ? 0
        : 1024
  const show = (bytes: number) =>
    (unit === 0 ? `${(bytes / gib).toFixed(1)}Gi` : String(Math.round(bytes / unit))).padStart(11)
  call.out('               total        used        free      shared  buff/cache   available\n')
  call.out(
    `Mem:    ${show(total)} ${show(used)} ${show((total - used) * 0.6)} ${show(total * 0.01)} ${show((total - used) * 0.4)} ${show(total - used)}\n`
  )
  call.out(`Swap:   ${show(512 * 1024 ** 2)} ${show(0)} ${show(512 * 1024 ** 2)}\n`)
  return 0
}

function df(call: Call): number {
  const opts = options(call.args, ['t', 'output', 'B'])
  const guest = call.world.guests[call.machine.id.slice('lxc:'.length)]
  const total = guest ? usageOf(guest, call.now()).maxDisk : 94 * gib
  const used = guest ? guest.diskUsed : 31 * gib
  const device = guest ? `/dev/mapper/pve-vm--${guest.vmid}--disk--0` : '/dev/mapper/pve-root'
  const unit = opts.value('B') === '1' ? 1 : 1024
  const show = (bytes: number) =>
    opts.has('h') ? `${(bytes / gib).toFixed(1)}G` : String(Math.round(bytes / unit))
  const percent = `${Math.ceil((used / total) * 100)}%`
  call.out(
    `Filesystem                      ${opts.has('h') ? 'Size' : unit === 1 ? '1B-blocks' : '1K-blocks'}  Used Avail Use% Mounted on\n`
  )
  call.out(`${device.padEnd(31)} ${show(total)} ${show(used)} ${show(total - used)} ${percent} /\n`)
  return 0
}

function ps(call: Call): number {
  call.out('USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n')
  call.out('root           1  0.0  0.1 168140 11264 ?        Ss   Jan01   0:04 /sbin/init\n')
  for (const unit of Object.values(call.machine.services).filter((s) => s.active === 'active')) {
    call.out(
      `root     ${String(unit.pid ?? 0).padStart(7)}  0.1  0.4 ${unit.memory >> 9} ${unit.memory >> 10} ?        Ssl  Jan01   0:21 ${unit.program}\n`
    )
  }
  return 0
}

function pgrep(call: Call): number {
  const name = options(call.args).rest[0] ?? ''
  const found = Object.values(call.machine.services).filter(
    (s) => s.active === 'active' && s.program.includes(name)
  )
  for (const unit of found) call.out(`${unit.pid ?? 0}\n`)
  return found.length > 0 ? 0 : 1
}

const unitsOfTime: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

function sleep(call: Call): number {
  const match = /^(\d*\.?\d+)([smhd])?$/.exec(call.args[0] ?? '')
  if (!match) return die(call, `sleep: invalid time interval ‘${call.args[0] ?? ''}’`, 1)
  call.recording.sleep(Number(match[1]) * (unitsOfTime[match[2] ?? 's'] ?? 1) * 1000)
  return 0
}

/** `env -i K=V … program args`: the environment a program gets is what is named. */
function env(call: Call): number {
  const values: Record<string, string> = call.args[0] === '-i' ? {} : { ...call.env }
  let at = call.args[0] === '-i' || call.args[0] === '-' ? 1 : 0
  for (; at < call.args.length; at++) {
    const arg = call.args[at] ?? ''
    if (arg === '-u') delete values[call.args[++at] ?? '']
    else if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(arg))
      values[arg.slice(0, arg.indexOf('='))] = arg.slice(arg.indexOf('=') + 1)
    else break
  }
  const [name, ...args] = call.args.slice(at)
  if (name !== undefined) return call.shell.program(name, args, values, call)
  for (const [key, value] of Object.entries(values)) call.out(`${key}=${value}\n`)
  return 0
}

/** A program that runs another one: drops its own options, whose values `valued` names. */
function wrapped(call: Call, valued: readonly string[]): number {
  let at = 0
  while (call.args[at]?.startsWith('-')) at += valued.includes(call.args[at]?.slice(1) ?? '') ? 2 : 1
  const [name = '', ...args] = call.args.slice(at)
  return call.shell.program(name, args, call.env, call)
}

function timeout(call: Call): number {
  let at = 0
  while (call.args[at]?.startsWith('-')) at += /^-[ks]$/.test(call.args[at] ?? '') ? 2 : 1
  const limit =
    parseFloat(call.args[at] ?? '0') *
    (unitsOfTime[/[smhd]$/.exec(call.args[at] ?? '')?.[0] ?? 's'] ?? 1) *
    1000
  const [name = '', ...args] = call.args.slice(at + 1)
  const before = call.now()
  const kept = call.recording.events.length
  const status = call.shell.program(name, args, call.env, call)
  if (limit === 0 || call.now() - before <= limit) return status
  call.recording.cutAt(before + limit, kept)
  return 124
}

function which(call: Call): number {
  const found = call.args.filter((name) => call.shell.find(name) !== null)
  for (const name of found) call.out(`/usr/bin/${name}\n`)
  return found.length === call.args.length ? 0 : 1
}

/** `sh -c script [name args…]`, `sh -s`, `sh file`. */
function sh(call: Call): number {
  const flag = call.args.findIndex((arg) => /^-[a-z]*c$/.test(arg))
  return call.shell.subshell((inner) => {
    if (call.args.slice(0, flag < 0 ? call.args.length : flag + 1).some((arg) => /^-[a-z]*e/.test(arg)))
      inner.state.errexit = true
    if (flag >= 0) {
      inner.state.positional = [...call.args.slice(flag + 3)]
      Object.assign(inner.state.vars, call.env)
      return inner.run(call.args[flag + 1] ?? '', call)
    }
    const file = call.args.find((arg) => !arg.startsWith('-'))
    if (file === undefined) return inner.run(call.input.all(), call)
    const entry = call.machine.files[file.startsWith('/') ? file : `${call.cwd}/${file}`]
    if (!entry) return die(call, `sh: 0: cannot open ${file}: No such file`, 2)
    return inner.run(entry.content, call)
  })
}

function npm(call: Call): number {
  if (call.args[0] !== 'ci' && call.args[0] !== 'install') return 0
  call.wait(2500)
  call.out('\nadded 214 packages, and audited 215 packages in 3s\n\nfound 0 vulnerabilities\n')
  return 0
}
