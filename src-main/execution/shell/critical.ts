const criticalUnits =
  /^(ssh|sshd|networking|systemd-networkd|NetworkManager|pve-cluster|corosync|pvedaemon|pveproxy|pvestatd|pve-firewall|pve-guests|pve-ha-(crm|lrm)|lxcfs|dbus|systemd-(logind|journald|udevd)|zfs-.*|multipathd|iscsid|init|sys-.*|-)(\.(service|socket|target|mount))?$/i

/** Units on which the way to a node, or the node itself, rests. */
export const isCriticalUnit = (unit: string): boolean => criticalUnits.test(unit)

const criticalPaths =
  /^\/(etc\/(pve|network|ssh|sudoers|passwd|shadow|group|gshadow|fstab|lvm|zfs|crypttab|pam\.d|security)(\/|\.|-|$)|boot(\/|$)|dev\/(?!null$|stdout$|stderr$|zero$)|proc\/|sys\/|usr\/(?!local\/|share\/)|lib|bin\/|sbin\/|root\/\.ssh|var\/lib\/(pve-cluster|dpkg|nomos))|(^|\/)\.ssh(\/|$)|(^|\/)authorized_keys/

/** Paths where writing can lock the operator out or break the system. */
export const isCriticalPath = (path: string): boolean => criticalPaths.test(normalised(path))

const secretPaths =
  /^\/dev\/(?!null$)|(^|\/)g?shadow([-~.][^/]*)?$|\/etc\/pve\/(.*\/)?priv(\/|$)|authkey|(^|\/)\.(ssh|gnupg|aws|kube|docker|config\/gh|netrc|pgpass|my\.cnf|git-credentials|env|vault-token)(\/|\.|$)|(^|\/)id_(rsa|dsa|ecdsa|ed25519)(\.|$)(?!pub$)|\.(pem|key|p12|pfx|jks|kdbx|ppk|age|env|db|sqlite3?)$|ssh_host_[a-z0-9]+_key$|\/proc\/(.+\/)?(environ|mem|maps|fd|root|cwd)(\/|$)|\/proc\/(kcore|keys)|(^|\/)(wg\d*|wireguard)(\/|\.conf|$)|passw(or)?d(?!$)|secret|credential|token|private|history$|(^|\/)(debian\.cnf|system-connections|wpa_supplicant[^/]*|netplan)(\/|$)|\/etc\/(sudoers|krb5\.keytab|ipsec\.secrets|ppp|openvpn|letsencrypt\/(archive|live|keys))/i

/** Paths whose content is or may be a secret. `/etc/passwd` is none. */
export const isSecretPath = (path: string): boolean => secretPaths.test(normalised(path))

const systemFolders = new Set(
  '/ /bin /boot /dev /etc /etc/pve /home /lib /lib64 /opt /proc /root /run /sbin /srv /sys /usr /usr/bin /usr/lib /var /var/lib /var/lib/vz /mnt'.split(
    ' '
  )
)

/** Folders whose removal is the end of the system. */
export function isSystemFolder(path: string): boolean {
  const bare = path.replace(/\/?\*$/, '') || '/'
  return /^(~|\$HOME|\$\{HOME\}|\.|\.\.)$/.test(bare) || systemFolders.has(normalised(bare))
}

/** Without `.`, `..` and doubled slashes. */
function normalised(path: string): string {
  const absolute = path.startsWith('/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '..' || !absolute) parts.push(part)
  }
  return (absolute ? '/' : '') + parts.join('/')
}
