import { bytes } from './format'
import { t } from './text'

export interface ConfigEntry {
  /** As Proxmox names it: `net0`. */
  readonly key: string
  /** The same without its number, and the number: `net`, ` 0`. */
  readonly name: string
  readonly number: string
  readonly raw: string
  readonly parts: readonly { readonly name: string; readonly value: string }[]
}

/** Options of yes or no (pve-container PVE/LXC/Config.pm, qemu-server PVE/QemuServer.pm). */
const flags = new Set([
  'onboot',
  'unprivileged',
  'protection',
  'template',
  'ro',
  'firewall',
  'numa',
  'backup'
])
/** Options in MiB. */
const sizes = new Set(['memory', 'swap', 'balloon'])
/** A part that is told apart from the option of the same name, and one that names itself. */
const partNames: Readonly<Record<string, string>> = { name: '', mp: 'path' }
const order = ['hostname', 'name', 'ostype', 'cores', 'sockets', 'memory', 'swap', 'rootfs', 'net', 'onboot']
const rankOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)

/** A guest's configuration as one reads it: what matters first, volumes and networks taken apart. */
export function readableConfig(config: Readonly<Record<string, string>>): ConfigEntry[] {
  return Object.entries(config)
    .map(([key, raw]): ConfigEntry => {
      const [, name = key, digits = ''] = /^([a-z]+)(\d*)$/.exec(key) ?? []
      const number = digits === '' || digits === '0' ? '' : ` ${digits}`
      return { key, name, number, raw, parts: partsOf(name, raw) }
    })
    .sort((a, b) => rankOf(a.name) - rankOf(b.name) || a.key.localeCompare(b.key))
}

function partsOf(name: string, raw: string): ConfigEntry['parts'] {
  if (name === 'description') return [{ name: '', value: decoded(raw) }]
  if (name === 'tags') return [{ name: '', value: raw.split(/[;,\s]+/).join(', ') }]
  // `name=eth0,bridge=vmbr0`, `local-lvm:vm-101-disk-0,size=4G`; prose with an equals sign is not among the options.
  return raw.split(',').map((part) => {
    const at = part.indexOf('=')
    const key = at === -1 ? '' : part.slice(0, at)
    const value = at === -1 ? part : part.slice(at + 1)
    return { name: partNames[key] ?? key, value: valueOf(key === '' ? name : key, value) }
  })
}

function valueOf(name: string, value: string): string {
  if (flags.has(name) && /^[01]$/.test(value))
    return (value === '1' ? t.target.configKeys['yes'] : t.target.configKeys['no']) ?? value
  if (sizes.has(name) && /^\d+$/.test(value)) return bytes(Number(value) * 1024 ** 2)
  return value
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim()
  } catch {
    return text
  }
}
