import { own } from '../world/own'
import { templateBytes, usedOf } from '../world/look'
import { type Call, die, nodeOf, type Programs } from '../shell/program'
import { pveArguments } from './options'
import { asTask } from './pve-task'
import { pveVersion } from './pvesh-nodes'
import { available } from './templates'

/** `pveam`, `pvesm`, `pveversion`. */
export const storagePrograms: Programs = {
  pveam: { run: pveam, on: 'node' },
  pvesm: { run: pvesm, on: 'node' },
  pveversion: { run: pveversion, on: 'node' }
}

const thisNode = (call: Call) => call.world.nodes[nodeOf(call.machine) ?? '']

function storageOf(call: Call, name: string) {
  const node = thisNode(call)
  return node && own(node.storages, name)
}

function pveam(call: Call): number {
  const [verb = '', ...args] = call.args
  switch (verb) {
    case 'update':
      call.wait(1200)
      call.out('update successful\n')
      return 0
    case 'available':
      return offered(call, args)
    case 'list':
      return present(call, args[0] ?? '')
    case 'download':
      return download(call, args)
    case 'remove':
      return remove(call, args[0] ?? '')
    default:
      return die(call, `ERROR: unknown command 'pveam ${verb}'`)
  }
}

function offered(call: Call, args: readonly string[]): number {
  const parsed = pveArguments(args, ['section'], 0)
  if (!parsed.ok) return die(call, parsed.text)
  call.wait(300)
  const section = parsed.set['section']
  for (const entry of available) {
    if (section === undefined || section === entry.section)
      call.out(`${entry.section.padEnd(15)} ${entry.name.padEnd(52)} amd64\n`)
  }
  return 0
}

function present(call: Call, name: string): number {
  const storage = storageOf(call, name)
  if (!storage) return die(call, `storage '${name}' does not exist`)
  if (!storage.content.includes('vztmpl')) return die(call, `Storage does not support templates!`)
  call.wait(250)
  if (storage.templates.length === 0) return 0
  call.out(`${'NAME'.padEnd(60)} ${'SIZE'.padEnd(6)}\n`)
  for (const template of storage.templates) {
    call.out(
      `${`${name}:vztmpl/${template}`.padEnd(60)} ${(templateBytes(template) / 1024 ** 2).toFixed(2)}MB\n`
    )
  }
  return 0
}

/** `pveam download STORAGE TEMPLATE`: about 5 seconds at pace 1, with wget's per cent lines. */
function download(call: Call, args: readonly string[]): number {
  const [storageName = '', template = ''] = args
  const node = thisNode(call)
  const storage = storageOf(call, storageName)
  if (!node || !storage) return die(call, `storage '${storageName}' does not exist`)
  if (!available.some((entry) => entry.name === template)) {
    return die(
      call,
      '400 Parameter verification failed.\ntemplate: no such template\npveam download <storage> <template>'
    )
  }
  if (!storage.content.includes('vztmpl'))
    return die(call, `400 Parameter verification failed.\nstorage: Storage does not support templates!`)
  const path = `/var/lib/vz/template/cache/${template}`
  if (storage.templates.includes(template)) {
    call.out(`OK, got correct file already, no need to download\n`)
    return 0
  }
  const url = `http://download.proxmox.com/images/system/${template}`
  const bytes = templateBytes(template)
  asTask(call, 'download', 0, (task) => {
    task.out(
      `downloading ${url} to ${path}\n--${new Date(task.now()).toISOString().slice(0, 19).replace('T', ' ')}--  ${url}\n`
    )
    task.wait(400)
    task.out(
      `Resolving download.proxmox.com (download.proxmox.com)... 51.91.38.34\nConnecting to download.proxmox.com (download.proxmox.com)|51.91.38.34|:80... connected.\n`
    )
    task.out(
      `HTTP request sent, awaiting response... 200 OK\nLength: ${bytes} (${Math.round(bytes / 1024 ** 2)}M) [application/octet-stream]\nSaving to: '${path}.tmp_dwnl.${task.recording.number()}'\n\n`
    )
    for (let percent = 8; percent <= 100; percent = Math.min(100, percent + 8) + Number(percent === 100)) {
      task.wait(320)
      task.out(
        `${String(Math.round((bytes * percent) / 102_400)).padStart(6)}K ........ ........ ........ ........ ${String(percent).padStart(3)}% 31.2M ${Math.ceil((100 - percent) / 25)}s\n`
      )
    }
    task.out(`\n'${path}' saved [${bytes}/${bytes}]\n`)
    task.wait(500)
    task.out(`calculating checksum...OK, checksum verified\ndownload of '${url}' to '${path}' finished\n`)
    task.change({ do: 'template.add', node: node.name, storage: storageName, name: template })
    return null
  })
  return 0
}

function remove(call: Call, volume: string): number {
  const match = /^([^:]+):vztmpl\/(.+)$/.exec(volume)
  const node = thisNode(call)
  const storage = storageOf(call, match?.[1] ?? '')
  if (!node || !storage?.templates.includes(match?.[2] ?? ''))
    return die(call, `volume '${volume}' does not exist`)
  call.change({ do: 'template.remove', node: node.name, storage: storage.name, name: match?.[2] ?? '' })
  return 0
}

function pvesm(call: Call): number {
  const [verb = '', ...args] = call.args
  const node = thisNode(call)
  if (!node || (verb !== 'status' && verb !== 'list'))
    return die(call, `ERROR: unknown command 'pvesm ${verb}'`)
  const parsed = pveArguments(
    args,
    ['content', 'storage', 'enabled', 'target', 'vmid'],
    verb === 'list' ? 1 : 0
  )
  if (!parsed.ok) return die(call, parsed.text)
  call.wait(300)
  if (verb === 'list') return listVolumes(call, parsed.positional[0] ?? '', parsed.set['content'])
  const { content, storage: only } = parsed.set
  if (only !== undefined && !own(node.storages, only)) return die(call, `storage '${only}' does not exist`)
  const row = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, i) =>
        i === 0 ? String(cell).padEnd(16) : String(cell).padStart([0, 8, 10, 15, 15, 15, 8][i] ?? 0)
      )
      .join(' ')
  call.out(`${row(['Name', 'Type', 'Status', 'Total (KiB)', 'Used (KiB)', 'Available (KiB)', '%'])}\n`)
  for (const storage of Object.values(node.storages)) {
    if (content !== undefined && !storage.content.includes(content)) continue
    if (only !== undefined && storage.name !== only) continue
    const used = usedOf(call.world, node, storage)
    const kib = (bytes: number) => Math.round(bytes / 1024)
    call.out(
      `${row([storage.name, storage.type, 'active', kib(storage.total), kib(used), kib(storage.total - used), `${((used / storage.total) * 100).toFixed(2)}%`])}\n`
    )
  }
  return 0
}

function listVolumes(call: Call, name: string, content: string | undefined): number {
  const storage = storageOf(call, name)
  if (!storage) return die(call, `storage '${name}' does not exist`)
  call.out('Volid Format Type Size VMID\n')
  if (content !== undefined && content !== 'vztmpl') return 0
  for (const template of storage.templates)
    call.out(`${name}:vztmpl/${template} tzst vztmpl ${templateBytes(template)}\n`)
  return 0
}

function pveversion(call: Call): number {
  call.wait(150)
  const line = `pve-manager/${pveVersion}/025864202ebb6109 (running kernel: 6.14.8-2-pve)\n`
  if (!call.args.some((arg) => /^--?v/.test(arg))) call.out(line)
  else
    call.out(
      `proxmox-ve: 9.0.0 (running kernel: 6.14.8-2-pve)\npve-manager: ${pveVersion} (running version: ${pveVersion}/025864202ebb6109)\npve-container: 6.0.9\nqemu-server: 9.0.16\n`
    )
  return 0
}
