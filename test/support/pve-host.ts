import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSshd, type Sshd } from './sshd'

/** A real sshd whose commands find stand-ins for Proxmox VE's tools; see pve-tools/common.sh for their state. */
export interface PveHost {
  readonly sshd: Sshd
  readonly state: string
  /** Makes a container that is there already. */
  addContainer(
    vmid: number,
    name: string,
    status: 'running' | 'stopped',
    conf?: Readonly<Record<string, string>>
  ): void
  addVm(vmid: number, name: string, status: 'running' | 'stopped'): void
  removeContainer(vmid: number): void
  /** Path of a file inside a container. */
  inside(vmid: number, path: string): string
  writeInside(vmid: number, path: string, content: string): void
  status(vmid: number): string | null
  /** The next call of `tool-verb` prints the text and fails. */
  failNext(name: string, text: string, code?: number): void
  /** Seconds that every call of `tool-verb` takes from now on. */
  delay(name: string, seconds: number): void
  set(name: string, content: string): void
  /** Makes an empty file of the state, or takes it away. */
  mark(name: string, there: boolean): void
  /** Content of a file of the state; empty when there is none. */
  read(name: string): string
  /** Calls of the tools so far, one line each, such as `pct create 105 …`. */
  calls(pattern?: RegExp): string[]
  /** Jobs that were started on the host. */
  jobs(): string[]
  /** How often the script of each job was run, by the job's id. */
  starts(): ReadonlyMap<string, number>
  /** Makes the host look restarted: a new boot id, and the processes of its jobs gone. */
  reboot(): void
  stop(): Promise<void>
}

const tools = join(import.meta.dirname, 'pve-tools')
const debian = 'debian-12-standard_12.7-1_amd64.tar.zst'

export async function startPveHost(
  options: { node?: string; template?: boolean; config?: readonly string[]; path?: string } = {}
): Promise<PveHost> {
  const state = mkdtempSync(join(tmpdir(), 'nomos-pve-'))
  const set = (name: string, content: string) => writeFileSync(join(state, name), content)
  for (const folder of ['lxc', 'qemu', 'vztmpl', 'fail', 'delay', 'jobs']) mkdirSync(join(state, folder))
  set('node', options.node ?? 'strong')
  set('log', '')
  set('starts', '')
  set('boot', 'first')
  set(
    'offered',
    `debian-11-standard_11.7-1_amd64.tar.zst\n${debian}\nalpine-3.20-default_20240908_amd64.tar.xz\n`
  )
  if (options.template !== false) set(`vztmpl/${debian}`, 'template')
  const sshd = await startSshd({
    // A folder of the test's own comes before the stand-ins.
    tools: options.path === undefined ? tools : `${options.path}:${tools}`,
    env: { PVE_STATE: state, NOMOS_STATE: join(state, 'jobs'), NOMOS_BOOT_ID_FILE: join(state, 'boot') },
    config: options.config ?? []
  })
  const jobFolder = join(state, 'jobs/nomos/jobs')
  const inside = (vmid: number, path: string) => join(state, 'lxc', String(vmid), 'root', path)
  const pids = () =>
    jobs()
      .filter((id) => !existsSync(join(jobFolder, id, 'exit')))
      .map((id) => join(jobFolder, id, 'pid'))
      .filter(existsSync)
      .map((file) => Number(readFileSync(file, 'utf8').split(' ')[0]))
  const jobs = () => (existsSync(jobFolder) ? readdirSync(jobFolder) : [])
  const killJobs = () => {
    // Every process of a session: the job's leader has made it.
    for (const pid of pids())
      try {
        execFileSync('pkill', ['-KILL', '-s', String(pid)])
      } catch {
        // Nothing of it is left.
      }
  }
  return {
    sshd,
    state,
    addContainer: (vmid, name, status, conf = {}) =>
      addGuest(state, 'lxc', vmid, status, {
        hostname: name,
        memory: '512',
        rootfs: `local-lvm:vm-${vmid}-disk-0,size=8G`,
        ...conf
      }),
    addVm: (vmid, name, status) => addGuest(state, 'qemu', vmid, status, { name }),
    removeContainer: (vmid) => rmSync(join(state, 'lxc', String(vmid)), { recursive: true, force: true }),
    inside,
    writeInside(vmid, path, content) {
      mkdirSync(join(inside(vmid, path), '..'), { recursive: true })
      writeFileSync(inside(vmid, path), content)
    },
    status: (vmid) => {
      const file = join(state, 'lxc', String(vmid), 'status')
      return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
    },
    failNext(name, text, code) {
      set(`fail/${name}`, text)
      if (code !== undefined) set(`fail/${name}.code`, String(code))
    },
    mark(name, there) {
      if (there) set(name, '')
      else rmSync(join(state, name), { force: true })
    },
    read: (name) => (existsSync(join(state, name)) ? readFileSync(join(state, name), 'utf8') : ''),
    delay: (name, seconds) => set(`delay/${name}`, String(seconds)),
    set,
    calls: (pattern = /./) =>
      readFileSync(join(state, 'log'), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && pattern.test(line)),
    jobs,
    starts() {
      const counts = new Map<string, number>()
      for (const id of readFileSync(join(state, 'starts'), 'utf8').split('\n').filter(Boolean))
        counts.set(id, (counts.get(id) ?? 0) + 1)
      return counts
    },
    reboot() {
      killJobs()
      set('boot', randomUUID())
    },
    stop: async () => {
      killJobs()
      await sshd.stop()
      rmSync(state, { recursive: true, force: true })
    }
  }
}

/** Makes a guest of the simulated node whose state is in the folder. */
export function addGuest(
  state: string,
  kind: 'lxc' | 'qemu',
  vmid: number,
  status: string,
  conf: Readonly<Record<string, string>>
): void {
  const folder = join(state, kind, String(vmid))
  mkdirSync(join(folder, 'root/etc'), { recursive: true })
  writeFileSync(join(folder, 'status'), status)
  const lines = Object.entries(conf).map(([key, value]) => `${key}: ${value}\n`)
  writeFileSync(join(folder, 'conf'), lines.join(''))
}
