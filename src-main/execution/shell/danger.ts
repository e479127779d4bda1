import { isCriticalPath, isCriticalUnit, isSystemFolder } from './critical'
import { programOf } from './wrappers'

export interface Danger {
  readonly reason: string
  /** Never run, whoever approves. */
  readonly refused?: boolean
}

type Judge = (args: readonly string[]) => string | Danger | null

const always =
  (reason: string): Judge =>
  () =>
    reason

const verb =
  (pattern: RegExp, reason: string): Judge =>
  (args) =>
    args.some((word) => !word.startsWith('-') && pattern.test(word)) ? reason : null

/** The words that are no options. */
const plainWords = (args: readonly string[]): readonly string[] =>
  args.filter((word) => !word.startsWith('-'))

/** True when a short option is given, alone or among others: `-rf` has `r`. */
const hasShort = (args: readonly string[], letters: string): boolean =>
  args.some((word) => /^-[A-Za-z]+$/.test(word) && [...letters].some((letter) => word.includes(letter)))

/** True when a long option is given, also shortened as GNU programs allow. */
const hasLong = (args: readonly string[], name: string, least = 3): boolean =>
  args.some((word) => {
    const given = word.split('=')[0] ?? ''
    return given.length >= least + 2 && `--${name}`.startsWith(given)
  })

const forced = (args: readonly string[]): boolean =>
  hasShort(args, 'f') ||
  args.some((word) =>
    /^--?(force\w*|skiplock|purge|destroy-unreferenced-disks|yes-i-really-.*)(=|$)/i.test(word)
  )

const guestTool: Judge = (args) => {
  const [name = ''] = args
  if (
    /^(destroy|rollback|delsnapshot|restore|unlock|stop|resize|move-?volume|move-?disk|reset|fsck|importdisk|disk)$/.test(
      name
    )
  )
    return `${name} of a guest`
  if (name === 'set' && args.some((word) => /^--?(delete|protection|revert)/.test(word)))
    return 'taking settings off a guest'
  return forced(args) ? 'a forced form' : null
}

const block = always('it changes disks or file systems')
const accounts = always('it changes who may log in')

const judges: Readonly<Record<string, Judge>> = {
  rm(args) {
    const isRecursive = hasShort(args, 'rR') || hasLong(args, 'recursive', 1)
    const isForced = hasShort(args, 'f') || hasLong(args, 'force', 1)
    if (hasLong(args, 'no-preserve-root', 2) || (isRecursive && plainWords(args).some(isSystemFolder)))
      return { reason: 'It would remove the system itself.', refused: true }
    if (isRecursive || isForced) return 'it removes without asking'
    return plainWords(args).some(isCriticalPath) ? 'it removes a file of the system' : null
  },
  rmdir: (args) => (plainWords(args).some(isCriticalPath) ? 'it removes a folder of the system' : null),
  unlink: (args) => (plainWords(args).some(isCriticalPath) ? 'it removes a file of the system' : null),
  shred: always('it destroys files'),
  srm: always('it destroys files'),
  truncate: always('it cuts files off'),
  dd: (args) => (args.some((word) => word.startsWith('of=')) ? 'it writes raw data' : null),
  find: (args) =>
    args.some((word) => word === '-delete')
      ? 'it deletes what it finds'
      : args.some((word) => /^-(fprint0?|fprintf|fls)$/.test(word))
        ? 'it writes to files'
        : null,
  wipefs: block,
  blkdiscard: block,
  sgdisk: block,
  sfdisk: block,
  fdisk: block,
  cfdisk: block,
  parted: block,
  gdisk: block,
  mkswap: block,
  mdadm: block,
  cryptsetup: block,
  hdparm: block,
  nvme: (args) =>
    /^(format|sanitize|delete-ns|reset|write)/.test(args[0] ?? '') ? 'it changes disks' : null,
  resize2fs: block,
  tune2fs: block,
  e2fsck: block,
  fsck: block,
  lvremove: block,
  vgremove: block,
  pvremove: block,
  lvreduce: block,
  vgreduce: block,
  lvresize: block,
  lvconvert: block,
  zfs: verb(/^(destroy|rollback|rename|promote|receive|recv|unmount)$/, 'it destroys or rolls back ZFS data'),
  zpool: verb(
    /^(destroy|labelclear|remove|detach|offline|export|clear|split|replace|create|add|attach)$/,
    'it changes a ZFS pool'
  ),
  pct: guestTool,
  qm: guestTool,
  qmrestore: always('it restores over a guest'),
  pvesm: verb(/^(free|remove|prune-backups|prunebackups)$/, 'it removes from a storage'),
  pvesh: (args) =>
    args[0] === 'delete' ||
    (args[0] !== 'get' &&
      args.some((word) =>
        /\/(stop|destroy|rollback|unlink|resize|reboot|shutdown|prunebackups|status)\b/.test(word)
      ))
      ? 'it deletes or stops over the API'
      : null,
  pvecm: verb(/^(delnode|add|create|expected|updatecerts)$/, 'it changes the cluster'),
  'ha-manager': verb(/^(remove|migrate|relocate|crm-command)$/, 'it changes high availability'),
  pveceph: verb(/^(destroy|purge|stop|mds|osd|pool)$/, 'it changes Ceph'),
  ceph: verb(/^(rm|delete|purge|destroy|out|zap)$/, 'it changes Ceph'),
  'ceph-volume': block,
  'proxmox-backup-client': verb(/^(forget|prune|key)$/, 'it removes backups'),
  'proxmox-backup-manager': verb(/^(remove|prune|delete)$/, 'it removes backups'),
  vzdump: (args) =>
    args.some((word) => /^--?(stop|remove|prune-backups)/.test(word))
      ? 'it stops guests or removes backups'
      : null,
  iptables: (args) =>
    hasShort(args, 'FXDP') || hasLong(args, 'flush') || hasLong(args, 'delete') || hasLong(args, 'policy')
      ? 'it opens or closes the firewall'
      : null,
  ip6tables: (args) => judges['iptables']?.(args) ?? null,
  'iptables-restore': always('it replaces the firewall'),
  nft: verb(/^(flush|delete|destroy)$/, 'it takes rules off the firewall'),
  ufw: verb(/^(disable|reset|delete)$/, 'it takes rules off the firewall'),
  'pve-firewall': verb(/^(stop)$/, 'it stops the firewall'),
  ip: (args) =>
    plainWords(args).some((word) => /^(del|delete|flush|down)$/.test(word)) || args.includes('down')
      ? 'it may cut the network off'
      : null,
  ifconfig: verb(/^down$/, 'it may cut the network off'),
  ifdown: always('it may cut the network off'),
  ifreload: always('it may cut the network off'),
  brctl: verb(/^(delbr|delif)$/, 'it may cut the network off'),
  shutdown: always('it stops the machine'),
  reboot: always('it restarts the machine'),
  halt: always('it stops the machine'),
  poweroff: always('it stops the machine'),
  init: always('it changes the run level'),
  telinit: always('it changes the run level'),
  kexec: always('it restarts the machine'),
  systemctl: (args) => {
    const words = plainWords(args)
    if (
      words.some((word) =>
        /^(reboot|poweroff|halt|kexec|rescue|emergency|isolate|default|suspend|hibernate|soft-reboot|exit|switch-root)$/.test(
          word
        )
      )
    )
      return 'it stops or restarts the machine'
    const [action, ...units] = words
    return /^(stop|disable|mask|kill|clean)$/.test(action ?? '') &&
      (action === 'clean' || units.some(isCriticalUnit))
      ? 'it stops a unit that the machine rests on'
      : null
  },
  service: (args) =>
    args[1] === 'stop' && isCriticalUnit(args[0] ?? '') ? 'it stops a unit that the machine rests on' : null,
  journalctl: (args) => (args.some((word) => /^--(vac|rot)/.test(word)) ? 'it removes logs' : null),
  apt: verb(/^(purge|autoremove|remove|autopurge)$/, 'it removes packages'),
  'apt-get': verb(/^(purge|autoremove|remove|autopurge)$/, 'it removes packages'),
  aptitude: verb(/^(purge|remove)$/, 'it removes packages'),
  dpkg: (args) =>
    hasShort(args, 'rP') ||
    hasLong(args, 'remove', 2) ||
    hasLong(args, 'purge', 2) ||
    args.some((word) => word.startsWith('--force'))
      ? 'it removes packages'
      : null,
  apk: verb(/^(del)$/, 'it removes packages'),
  dnf: verb(/^(remove|erase|autoremove)$/, 'it removes packages'),
  yum: verb(/^(remove|erase|autoremove)$/, 'it removes packages'),
  pacman: (args) => (hasShort(args, 'R') ? 'it removes packages' : null),
  userdel: accounts,
  groupdel: accounts,
  passwd: accounts,
  chpasswd: accounts,
  usermod: accounts,
  visudo: accounts,
  deluser: accounts,
  delgroup: accounts,
  pveum: verb(/^(delete|del|remove|passwd)$/, 'it changes who may log in'),
  crontab: (args) => (hasShort(args, 'r') ? 'it removes scheduled work' : null),
  chmod: (args) => onSystem(args, 'it changes rights of the system'),
  chown: (args) => onSystem(args, 'it changes owners in the system'),
  chgrp: (args) => onSystem(args, 'it changes owners in the system'),
  mv: (args) => onSystem(args, 'it replaces files of the system'),
  cp: (args) => onSystem(args.slice(-1), 'it replaces files of the system'),
  ln: (args) => onSystem(args.slice(-1), 'it replaces files of the system'),
  install: (args) => onSystem(args.slice(-1), 'it replaces files of the system'),
  tee: (args) => onSystem(args, 'it writes to files of the system'),
  sed: (args) =>
    hasShort(args, 'i') || args.some((word) => /^(-i|--in)/.test(word))
      ? onSystem(args, 'it changes files of the system')
      : null,
  rsync: (args) =>
    args.some((word) => /^--(del|remove-source)/.test(word)) ? 'it deletes while it copies' : null,
  docker: verb(/^(rm|rmi|prune|kill|down)$/, 'it removes containers, images or volumes'),
  podman: verb(/^(rm|rmi|prune|kill|down)$/, 'it removes containers, images or volumes'),
  'docker-compose': verb(/^(rm|down|kill)$/, 'it removes containers'),
  git: verb(/^(clean|reset)$/, 'it throws changes away'),
  kill: (args) =>
    plainWords(args).some((word) => word === '1') || args.includes('-1')
      ? "it ends the machine's processes"
      : null,
  killall5: always('it ends every process'),
  sysctl: (args) =>
    hasShort(args, 'w') || args.some((word) => word.includes('='))
      ? "it changes the kernel's settings"
      : null,
  swapoff: always('it takes memory away'),
  'update-grub': always('it changes how the machine starts'),
  'grub-install': always('it changes how the machine starts'),
  'proxmox-boot-tool': (args) => (args[0] === 'status' ? null : 'it changes how the machine starts'),
  efibootmgr: (args) => (args.length === 0 ? null : 'it changes how the machine starts'),
  'lxc-destroy': always('it destroys a container'),
  'lxc-stop': always('it stops a container'),
  virsh: verb(/^(destroy|undefine)$/, 'it destroys a machine')
}

const onSystem = (args: readonly string[], reason: string): string | null =>
  plainWords(args).some((word) => isCriticalPath(word) || isSystemFolder(word)) ? reason : null

/** Why a command destroys; null when it does not, as far as its words tell. */
export function dangerOf(argv: readonly string[]): Danger | null {
  const [first = '', ...args] = argv
  const name = programOf(first)
  if (/^mkfs(\.|$)/.test(name)) return { reason: 'mkfs: it changes disks or file systems.' }
  const judge = Object.hasOwn(judges, name) ? judges[name] : undefined
  const found = judge?.(args) ?? null
  if (found === null) return null
  return typeof found === 'string' ? { reason: `${name}: ${found}.` } : found
}
