import { isSecretPath } from './critical'
import { programOf, systemPath } from './wrappers'

type Check = (args: readonly string[]) => boolean

/** Any arguments: the program cannot change anything. */
const any: Check = () => true
const none: Check = (args) => args.length === 0

/** Only these options (whole words, or with `=value`), and any plain words. */
const options =
  (pattern: RegExp): Check =>
  (args) =>
    args.every((word) => !word.startsWith('-') || pattern.test(word))

/** The first word is one of these; what follows passes `rest`. */
const verbs =
  (names: RegExp, rest: Check = any): Check =>
  ([first = '', ...args]) =>
    names.test(first) && rest(args)

/** Reads files: none of them may hold a secret, and no device. */
const files =
  (check: Check): Check =>
  (args) =>
    check(args) && args.every((word) => !isSecretPath(word))

/** Words only, none of them an option. */
const words: Check = (args) => args.every((word) => !word.startsWith('-'))

const showing = /^(show|list|ls|lst|get)$/

const ip: Check = (args) => {
  const words = args.filter((word) => !word.startsWith('-'))
  const known = args.every(
    (word) =>
      !word.startsWith('-') ||
      /^-(j|json|p|pretty|br|brief|4|6|s|stats|statistics|d|details|o|oneline|c|color|h|human|f|family)$/.test(
        word
      )
  )
  const [object = '', verb] = words
  return (
    known &&
    /^(a|addr|address|l|link|r|route|ro|n|neigh|neighbour|neighbor|rule|maddr|tunnel|vrf|nexthop)$/.test(
      object
    ) &&
    (verb === undefined || showing.test(verb))
  )
}

/** Options of systemctl whose value is the next word: that word is not the verb (`systemctl -p status stop caddy`). */
const systemctlValued = /^(-[noptP]|--property|--lines|--output|--type)$/
const systemctlFlags =
  /^(--no-pager|--no-legend|--plain|--full|-l|--all|-a|--failed|--quiet|-q|--value|--system|-n\d+|--lines=\d+|--output=[\w-]+|--property=[\w,]+|--type=[\w,]+|--state=[\w,-]+|--reverse|--recursive)$/
const systemctlReads =
  /^(status|is-active|is-enabled|is-failed|is-system-running|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|list-jobs|get-default)$/

const systemctl: Check = (args) => {
  const plain: string[] = []
  const properties: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (systemctlValued.test(word)) {
      const value = args[++at] ?? ''
      if (!/^\w[\w,-]*$/.test(value)) return false
      if (/^(-[pP]|--property)$/.test(word)) properties.push(value)
    } else if (word.startsWith('--property=')) properties.push(word)
    if (systemctlValued.test(word)) continue
    if (!word.startsWith('-')) plain.push(word)
    else if (!systemctlFlags.test(word)) return false
  }
  const [verb = 'list-units'] = plain
  // `show` without a choice of properties prints the environment of the unit, which may hold secrets.
  if (verb === 'show')
    return properties.length > 0 && !properties.some((name) => /environ|passw|credential/i.test(name))
  return systemctlReads.test(verb)
}

/** Without the forms that print the environment of processes. */
const ps: Check = (args) =>
  args.every(
    (word) =>
      !/environ/i.test(word) && (word.startsWith('-') ? !/E/.test(word) : !/^[A-Za-z]*e[A-Za-z]*$/.test(word))
  )

const journalctl = options(
  /^(-n\d*|--lines=\d+|--no-pager|-u|--unit=.*|-b(-?\d+)?|--boot(=.*)?|-k|--dmesg|-p|--priority=.*|-o|--output=[\w-]+|-x|--catalog|-r|--reverse|-e|--pager-end|-a|--all|-q|--quiet|--since=.*|--until=.*|-S|-U|-g|--grep=.*|-t|--identifier=.*|--list-boots|--disk-usage|--utc|--no-hostname|-xe|-xeu|-xu)$/
)

const sedPrints: Check = (args) => {
  const [flag, script = '', ...rest] = args
  return flag === '-n' && /^\d+(,(\d+|\$))?p$/.test(script) && rest.every((word) => !word.startsWith('-'))
}

/** `find` without actions but printing. */
const find: Check = (args) =>
  args.every(
    (word) =>
      !word.startsWith('-') ||
      /^-(name|iname|path|ipath|type|size|mtime|mmin|newer|ctime|atime|user|group|perm|maxdepth|mindepth|xdev|mount|empty|print|print0|not|o|or|a|and|ls|regex|links|inum|readable|writable|executable|depth|prune|L|P|H)$/.test(
        word
      )
  )

const grep: Check = (args) =>
  options(
    /^(-[abcEFGHhiLlnoqsvwxz]+|-[ABCm]\d*|-e|--color(=.*)?|--count|--ignore-case|--line-number|--invert-match|--fixed-strings|--extended-regexp|--only-matching|--(after|before)?-?context=\d+|--max-count=\d+)$/
  )(args)

/**
 * Paths of the API that run something, show secrets, or make the node connect to another machine although they are
 * only read (pve-manager: `PVE/API2/Nodes.pm` query_url_metadata, `Scan.pm`, `APT.pm` changelog, `Qemu.pm`).
 */
const sidePaths =
  /(^|\/)(execute|vncproxy|vncwebsocket|termproxy|spiceproxy|spiceshell|vncshell|agent|file-read|file-write|exec|config\/(private|join)|access|query-url-metadata|query-oci-repo-tags|scan|changelog|file-restore|cloudinit|acme|aplinfo|subscription)(\/|\?|$)/i

/** Programs that only read, each with what its arguments may be. Everything that is not here changes something. */
const table: Readonly<Record<string, Check>> = {
  true: any,
  false: any,
  echo: any,
  test: any,
  '[': any,
  pwd: any,
  whoami: none,
  id: any,
  groups: any,
  nproc: any,
  arch: none,
  uname: any,
  uptime: any,
  free: options(/^(-[bkmghtlvw]+|--\w+)$/),
  df: any,
  du: options(
    /^(-[abchklmsSx0DHLP]+|-d\d*|--max-depth=\d+|--summarize|--human-readable|--apparent-size|--one-file-system|--total)$/
  ),
  lsblk: any,
  lscpu: any,
  lsmod: none,
  lspci: options(/^-[vknmtDxq]+$/),
  lsusb: options(/^-[vt]+$/),
  lsns: any,
  numfmt: any,
  findmnt: options(/^(-[ADJRaeilnoruvTSt]+|--\w[\w-]*(=.*)?)$/),
  blkid: none,
  mount: none,
  swapon: (args) =>
    args.length > 0 && args.every((word) => /^(-s|--show(=.*)?|--summary|--noheadings|--bytes)$/.test(word)),
  vmstat: options(/^(-[anstwdDpSf]+)$/),
  iostat: any,
  mpstat: any,
  ps,
  pgrep: any,
  pidof: any,
  pstree: any,
  w: any,
  // A plain word is a file to read.
  who: (args) => args.every((word) => /^-[abdHlmpqrtTu]+$/.test(word)),
  last: options(/^(-[adFiRwxn]+|-\d+|-n\d*)$/),
  uuidgen: none,
  // A plain word would set the clock.
  date: (args) =>
    args.every((word) => /^(\+.*|-u|--utc|-R|-I\w*|--iso-8601(=\w+)?|--rfc-\w+(=\w+)?)$/s.test(word)),
  cal: any,
  hostname: (args) => args.every((word) => /^-[fiIsdA]$/.test(word)),
  hostnamectl: verbs(/^status$/, none),
  timedatectl: (args) =>
    args.length === 0 || verbs(/^(status|show|timesync-status|list-timezones)$/, none)(args),
  loginctl: verbs(/^(list-sessions|list-users|session-status|user-status)$/, words),
  ls: any,
  stat: any,
  file: files(options(/^(-b|-i|--mime|--brief)$/)),
  realpath: any,
  readlink: any,
  basename: any,
  dirname: any,
  cat: files(options(/^-[AbeEnstTuv]+$/)),
  tac: files(options(/^$/)),
  nl: files(any),
  head: files(options(/^(-[nc]?\d*|-n|-c|-q|-v|--lines=-?\d+|--bytes=-?\d+)$/)),
  tail: files(options(/^(-[nc]?[+]?\d*|-n|-c|-q|-v|--lines=[+-]?\d+|--bytes=[+-]?\d+)$/)),
  wc: files(options(/^(-[lwcmL]+|--(lines|words|bytes|chars))$/)),
  cut: files(any),
  tr: any,
  column: files(any),
  sort: files(
    options(
      /^(-[bdfghinrRuVz]+|-k[\d,.nr]*|-t.?|--(reverse|numeric-sort|human-numeric-sort|unique|version-sort))$/
    )
  ),
  // A second plain word would be written to.
  uniq: files(
    (args) =>
      options(/^(-[cdiu]+|--count)$/)(args) && args.filter((word) => !word.startsWith('-')).length <= 1
  ),
  grep: files(grep),
  egrep: files(grep),
  fgrep: files(grep),
  zcat: files(options(/^$/)),
  sed: files(sedPrints),
  find: files(find),
  md5sum: files(options(/^-[bt]$/)),
  sha1sum: files(options(/^-[bt]$/)),
  sha256sum: files(options(/^-[bt]$/)),
  sha512sum: files(options(/^-[bt]$/)),
  cksum: files(any),
  cmp: files(options(/^(-[bls]+)$/)),
  // Of folders it shows every file in them: only whether something differs.
  diff: files((args) => args.some((word) => /^(-q|--brief)$/.test(word)) && options(/^(-q|--brief)$/)(args)),
  which: any,
  type: any,
  getent: verbs(/^(passwd|group|services|protocols)$/, words),
  ss: options(/^(-[ntulpaeimrsxwo046Hh]+|--(tcp|udp|listening|numeric|processes|all|summary))$/),
  netstat: options(/^-[ntulpaeirs]+$/),
  ip,
  bridge: verbs(
    /^(link|fdb|vlan|mdb)$/,
    (args) => args.length === 0 || (args.length === 1 && showing.test(args[0] ?? ''))
  ),
  arp: options(/^-[ane]+$/),
  systemctl,
  journalctl,
  'systemd-analyze': (args) => args.length === 0 || verbs(/^(time|blame|critical-chain)$/, words)(args),
  'systemd-detect-virt': any,
  dmesg: options(/^(-[THkxuLP]+|-l|--level=[\w,]+|--ctime|--human|--nopager|-f|--facility=[\w,]+)$/),
  dpkg: verbs(
    /^(-l|--list|-s|--status|-L|--listfiles|-S|--search|--get-selections|-V|--verify|--print-architecture|-p|--print-avail|--audit|-C)$/,
    words
  ),
  'dpkg-query': (args) =>
    /^(-W|--show|-l|--list|-s|--status|-L|-S)/.test(args[0] ?? '') &&
    options(/^(-[WlsLS]|--(show|list|status)|-f.*|--showformat=.*)$/)(args),
  apt: verbs(
    /^(list|show|search|policy|depends|rdepends)$/,
    options(/^(--upgradable|--installed|-a|--all-versions|-q+|--names-only)$/)
  ),
  'apt-cache': verbs(
    /^(policy|show|search|depends|rdepends|madison|showpkg|stats)$/,
    options(/^(-a|-n|--names-only)$/)
  ),
  'apt-mark': verbs(/^(showhold|showauto|showmanual)$/, words),
  pveversion: options(/^(-v|--verbose)$/),
  pct: verbs(/^(list|status|config|df|listsnapshot|pending|cpusets|help)$/),
  qm: verbs(/^(list|status|config|listsnapshot|pending|showcmd|help)$/),
  pvesh: (args) => /^(get|ls|usage)$/.test(args[0] ?? '') && !args.some((word) => sidePaths.test(word)),
  pvesm: verbs(/^(status|list|path|help)$/),
  pveam: verbs(/^(list|available)$/),
  pvecm: verbs(/^(status|nodes)$/),
  'pve-firewall': verbs(/^(status|localnet)$/),
  'ha-manager': verbs(/^(status|config|groupconfig)$/),
  // `-c` runs scripts.
  zpool: verbs(/^(status|list|history)$/, options(/^-[HLPgiloptvx]+$/)),
  zfs: verbs(/^(list|get|version)$/),
  lvs: options(/^(-[oaSOP]+|--(units|noheadings|segments|all|options)(=.*)?)$/),
  vgs: options(/^(-[oaSOP]+|--(units|noheadings|all|options)(=.*)?)$/),
  pvs: options(/^(-[oaSOP]+|--(units|noheadings|all|options)(=.*)?)$/),
  smartctl: options(/^(-[aiHAxj]+|--(all|info|health|attributes|xall|json|scan))$/),
  sensors: options(/^(-[uj])$/),
  docker: verbs(/^(ps|images|version|info)$/, options(/^(-[aqs]+|--(all|quiet|no-trunc|format=.*))$/)),
  podman: verbs(/^(ps|images|version|info)$/, options(/^(-[aqs]+|--(all|quiet|no-trunc|format=.*))$/)),
  nvme: verbs(/^(list|smart-log)$/)
}

/** True when the program with these arguments is known to only read, and reads no secret. */
export function isReadOnly(argv: readonly string[]): boolean {
  const [first = '', ...args] = argv
  if (first.includes('/') && !systemPath.test(first)) return false
  const name = programOf(first)
  const check = Object.hasOwn(table, name) ? table[name] : undefined
  return check?.(args) ?? false
}
