import { isCriticalPath, isCriticalUnit, isSystemFolder } from './critical'
import type { Reason, ReasonId } from './reasons'
import { programOf } from './wrappers'

export interface Danger {
  readonly reason: Reason
  /** Never run, whoever approves. */
  readonly refused?: boolean
}

/** A reason alone is about the program. */
type Judge = (args: readonly string[]) => ReasonId | Found | null

interface Found {
  readonly id: ReasonId
  readonly verb?: string
  readonly refused?: boolean
}

const always =
  (reason: ReasonId): Judge =>
  () =>
    reason

const verb =
  (pattern: RegExp, reason: ReasonId): Judge =>
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
    return { id: 'guest_verb', verb: name }
  if (name === 'set' && args.some((word) => /^--?(delete|protection|revert)/.test(word)))
    return 'takes_settings'
  return forced(args) ? 'forced' : null
}

const block = always('changes_disks')
const accounts = always('changes_accounts')

const judges: Readonly<Record<string, Judge>> = {
  rm(args) {
    const isRecursive = hasShort(args, 'rR') || hasLong(args, 'recursive', 1)
    const isForced = hasShort(args, 'f') || hasLong(args, 'force', 1)
    if (hasLong(args, 'no-preserve-root', 2) || (isRecursive && plainWords(args).some(isSystemFolder)))
      return { id: 'removes_system', refused: true }
    if (isRecursive || isForced) return 'removes_silently'
    return plainWords(args).some(isCriticalPath) ? 'removes_system_file' : null
  },
  rmdir: (args) => (plainWords(args).some(isCriticalPath) ? 'removes_system_folder' : null),
  unlink: (args) => (plainWords(args).some(isCriticalPath) ? 'removes_system_file' : null),
  shred: always('destroys_files'),
  srm: always('destroys_files'),
  truncate: always('truncates'),
  dd: (args) => (args.some((word) => word.startsWith('of=')) ? 'writes_raw' : null),
  find: (args) =>
    args.some((word) => word === '-delete')
      ? 'deletes_found'
      : args.some((word) => /^-(fprint0?|fprintf|fls)$/.test(word))
        ? 'writes_files'
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
  nvme: (args) => (/^(format|sanitize|delete-ns|reset|write)/.test(args[0] ?? '') ? 'changes_disk' : null),
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
  zfs: verb(/^(destroy|rollback|rename|promote|receive|recv|unmount)$/, 'changes_zfs'),
  zpool: verb(
    /^(destroy|labelclear|remove|detach|offline|export|clear|split|replace|create|add|attach)$/,
    'changes_zpool'
  ),
  pct: guestTool,
  qm: guestTool,
  qmrestore: always('restores_over'),
  pvesm: verb(/^(free|remove|prune-backups|prunebackups)$/, 'removes_stored'),
  pvesh: (args) =>
    args[0] === 'delete' ||
    (args[0] !== 'get' &&
      args.some((word) =>
        /\/(stop|destroy|rollback|unlink|resize|reboot|shutdown|prunebackups|status)\b/.test(word)
      ))
      ? 'api_deletes'
      : null,
  pvecm: verb(/^(delnode|add|create|expected|updatecerts)$/, 'changes_cluster'),
  'ha-manager': verb(/^(remove|migrate|relocate|crm-command)$/, 'changes_ha'),
  pveceph: verb(/^(destroy|purge|stop|mds|osd|pool)$/, 'changes_ceph'),
  ceph: verb(/^(rm|delete|purge|destroy|out|zap)$/, 'changes_ceph'),
  'ceph-volume': block,
  'proxmox-backup-client': verb(/^(forget|prune|key)$/, 'removes_backups'),
  'proxmox-backup-manager': verb(/^(remove|prune|delete)$/, 'removes_backups'),
  vzdump: (args) =>
    args.some((word) => /^--?(stop|remove|prune-backups)/.test(word)) ? 'stops_or_prunes' : null,
  iptables: (args) =>
    hasShort(args, 'FXDP') || hasLong(args, 'flush') || hasLong(args, 'delete') || hasLong(args, 'policy')
      ? 'changes_firewall'
      : null,
  ip6tables: (args) => judges['iptables']?.(args) ?? null,
  'iptables-restore': always('replaces_firewall'),
  nft: verb(/^(flush|delete|destroy)$/, 'loosens_firewall'),
  ufw: verb(/^(disable|reset|delete)$/, 'loosens_firewall'),
  'pve-firewall': verb(/^(stop)$/, 'stops_firewall'),
  ip: (args) =>
    plainWords(args).some((word) => /^(del|delete|flush|down)$/.test(word)) || args.includes('down')
      ? 'cuts_network'
      : null,
  ifconfig: verb(/^down$/, 'cuts_network'),
  ifdown: always('cuts_network'),
  ifreload: always('cuts_network'),
  brctl: verb(/^(delbr|delif)$/, 'cuts_network'),
  shutdown: always('stops_machine'),
  reboot: always('restarts_machine'),
  halt: always('stops_machine'),
  poweroff: always('stops_machine'),
  init: always('changes_runlevel'),
  telinit: always('changes_runlevel'),
  kexec: always('restarts_machine'),
  systemctl: (args) => {
    const words = plainWords(args)
    if (
      words.some((word) =>
        /^(reboot|poweroff|halt|kexec|rescue|emergency|isolate|default|suspend|hibernate|soft-reboot|exit|switch-root)$/.test(
          word
        )
      )
    )
      return 'stops_or_restarts'
    const [action, ...units] = words
    return /^(stop|disable|mask|kill|clean)$/.test(action ?? '') &&
      (action === 'clean' || units.some(isCriticalUnit))
      ? 'stops_needed_unit'
      : null
  },
  service: (args) => (args[1] === 'stop' && isCriticalUnit(args[0] ?? '') ? 'stops_needed_unit' : null),
  journalctl: (args) => (args.some((word) => /^--(vac|rot)/.test(word)) ? 'removes_logs' : null),
  apt: verb(/^(purge|autoremove|remove|autopurge)$/, 'removes_packages'),
  'apt-get': verb(/^(purge|autoremove|remove|autopurge)$/, 'removes_packages'),
  aptitude: verb(/^(purge|remove)$/, 'removes_packages'),
  dpkg: (args) =>
    hasShort(args, 'rP') ||
    hasLong(args, 'remove', 2) ||
    hasLong(args, 'purge', 2) ||
    args.some((word) => word.startsWith('--force'))
      ? 'removes_packages'
      : null,
  apk: verb(/^(del)$/, 'removes_packages'),
  dnf: verb(/^(remove|erase|autoremove)$/, 'removes_packages'),
  yum: verb(/^(remove|erase|autoremove)$/, 'removes_packages'),
  pacman: (args) => (hasShort(args, 'R') ? 'removes_packages' : null),
  userdel: accounts,
  groupdel: accounts,
  passwd: accounts,
  chpasswd: accounts,
  usermod: accounts,
  visudo: accounts,
  deluser: accounts,
  delgroup: accounts,
  pveum: verb(/^(delete|del|remove|passwd)$/, 'changes_accounts'),
  crontab: (args) => (hasShort(args, 'r') ? 'removes_schedule' : null),
  chmod: (args) => onSystem(args, 'changes_rights'),
  chown: (args) => onSystem(args, 'changes_owners'),
  chgrp: (args) => onSystem(args, 'changes_owners'),
  mv: (args) => onSystem(args, 'replaces_system_files'),
  cp: (args) => onSystem(args.slice(-1), 'replaces_system_files'),
  ln: (args) => onSystem(args.slice(-1), 'replaces_system_files'),
  install: (args) => onSystem(args.slice(-1), 'replaces_system_files'),
  tee: (args) => onSystem(args, 'writes_system_files'),
  sed: (args) =>
    hasShort(args, 'i') || args.some((word) => /^(-i|--in)/.test(word))
      ? onSystem(args, 'changes_system_files')
      : null,
  rsync: (args) => (args.some((word) => /^--(del|remove-source)/.test(word)) ? 'deletes_copying' : null),
  docker: verb(/^(rm|rmi|prune|kill|down)$/, 'removes_images'),
  podman: verb(/^(rm|rmi|prune|kill|down)$/, 'removes_images'),
  'docker-compose': verb(/^(rm|down|kill)$/, 'removes_containers'),
  git: verb(/^(clean|reset)$/, 'discards_changes'),
  kill: (args) =>
    plainWords(args).some((word) => word === '1') || args.includes('-1') ? 'ends_processes' : null,
  killall5: always('ends_all'),
  sysctl: (args) =>
    hasShort(args, 'w') || args.some((word) => word.includes('=')) ? 'changes_kernel' : null,
  swapoff: always('takes_memory'),
  'update-grub': always('changes_boot'),
  'grub-install': always('changes_boot'),
  'proxmox-boot-tool': (args) => (args[0] === 'status' ? null : 'changes_boot'),
  efibootmgr: (args) => (args.length === 0 ? null : 'changes_boot'),
  'lxc-destroy': always('destroys_container'),
  'lxc-stop': always('stops_container'),
  virsh: verb(/^(destroy|undefine)$/, 'destroys_machine')
}

const onSystem = (args: readonly string[], reason: ReasonId): ReasonId | null =>
  plainWords(args).some((word) => isCriticalPath(word) || isSystemFolder(word)) ? reason : null

/** Why a command destroys; null when it does not, as far as its words tell. */
export function dangerOf(argv: readonly string[]): Danger | null {
  const [first = '', ...args] = argv
  const name = programOf(first)
  if (/^mkfs(\.|$)/.test(name)) return { reason: { id: 'changes_disks', about: 'mkfs' } }
  const judge = Object.hasOwn(judges, name) ? judges[name] : undefined
  const found = judge?.(args) ?? null
  if (found === null) return null
  const { id, verb, refused }: Found = typeof found === 'string' ? { id: found } : found
  return {
    reason: { id, about: verb === undefined ? name : `${name}: ${verb}` },
    ...(refused && { refused })
  }
}
