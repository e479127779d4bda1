import type { AppError } from '../base/result'

interface Known {
  readonly text: RegExp
  readonly code: string
  /** What it means; the line of output itself follows. */
  readonly message: string
  readonly hint: string
}

/**
 * What Proxmox VE, apt and systemd print when they refuse, and what to do then. Exit codes say nothing:
 * they are errno leaking out of Perl. Texts read in the sources of pve-container, pve-guest-common, pve-common,
 * pve-storage and qemu-server (PVE 9); the first match counts.
 */
const known: readonly Known[] = [
  {
    text: /cluster not ready - no quorum\?/,
    code: 'no_quorum',
    message: 'The cluster has no quorum: it accepts no changes.',
    hint: 'Stop here and bring the missing nodes back; never force the quorum without the operator.'
  },
  {
    text: /(?:CT|VM) (\d+) already exists on node/,
    code: 'vmid_taken',
    message: 'The VMID is in use.',
    hint: 'Request it again without a VMID: the next free one is picked.'
  },
  {
    text: /(?:CT|VM) is locked \(([a-z-]+)\)/,
    code: 'guest_locked',
    message: 'The guest is locked by another task.',
    hint: 'Look at the running tasks, wait until the lock is gone, then do it again. Unlock only when no task runs.'
  },
  {
    text: /can't lock file .* - got timeout/,
    code: 'guest_busy',
    message: 'Another command works on the guest at this moment.',
    hint: 'Wait half a minute and do it again.'
  },
  {
    text: /unable to destroy (?:CT|VM) \d+ - container is running|VM \d+ is running - destroy failed/,
    code: 'guest_running',
    message: 'The guest is running, so it was not destroyed.',
    hint: 'Request pct_shutdown first, then destroy it.'
  },
  {
    text: /protection mode enabled/,
    code: 'guest_protected',
    message: 'The guest is protected.',
    hint: 'Somebody protected it on purpose: ask the operator; if it is to go all the same, pct_set with protection false first.'
  },
  {
    text: /used in HA resources/,
    code: 'guest_in_ha',
    message: 'The guest is managed by high availability.',
    hint: 'Take it out of the HA resources first.'
  },
  {
    text: /container '\d+' not running|can only push files to a running CT|can only pull files from a running/,
    code: 'guest_stopped',
    message: 'The guest is not running.',
    hint: 'Request pct_start first.'
  },
  {
    text: /Configuration file '[^']*' does not exist/,
    code: 'guest_gone',
    message: 'The guest does not exist on this node.',
    hint: 'It may have been moved or destroyed: look at list_lxcs again.'
  },
  {
    text: /you can't start a CT if it's a template|you can't take a snapshot if it's a template/,
    code: 'guest_is_template',
    message: 'The guest is a template.',
    hint: 'Clone it and use the clone.'
  },
  {
    text: /startup for container '\d+' failed/,
    code: 'start_failed',
    message: 'The container did not start.',
    hint: 'Read journalctl -u pve-container@VMID on the host; missing mount sources and unusable features are usual causes.'
  },
  {
    text: /container did not stop/,
    code: 'did_not_stop',
    message: 'The container did not stop in time.',
    hint: 'Shut it down with a longer timeout; pct_stop kills it and asks on its own.'
  },
  {
    text: /No space left on device|not enough free space \(/,
    code: 'no_space',
    message: 'There is no space left.',
    hint: 'Free some, or use another storage.'
  },
  {
    text: /no such template|volume '[^']*vztmpl[^']*' does not exist|file does not look like a template archive/,
    code: 'template_not_found',
    message: 'The template is not there.',
    hint: 'Look at list_templates; template_download fetches one.'
  },
  {
    text: /storage '[^']*' (does not exist|is disabled|is not available on node)|does not support container directories|does not support templates|content type '[^']*' is not available/i,
    code: 'storage_unusable',
    message: 'The storage cannot be used for this.',
    hint: 'Look at list_storages and take one that holds this kind of content on this node.'
  },
  {
    text: /snapshot feature is not available/,
    code: 'snapshot_not_possible',
    message: 'This guest cannot be snapshotted: its storage cannot, or it has a bind mount.',
    hint: 'Make a backup with vzdump instead.'
  },
  {
    text: /snapshot name '[^']*' already used/,
    code: 'snapshot_exists',
    message: 'There is a snapshot of that name.',
    hint: 'Use another name.'
  },
  {
    text: /snapshot '[^']*' does not exist/,
    code: 'snapshot_not_found',
    message: 'There is no such snapshot.',
    hint: 'list_snapshots names them.'
  },
  {
    text: /is not most recent snapshot on/,
    code: 'snapshot_not_newest',
    message: 'ZFS rolls back to the newest snapshot only.',
    hint: 'Delete the newer ones first, each with its own approval.'
  },
  {
    text: /unable to shrink disk size|disk is already at specified size|invalid size string/,
    code: 'resize_refused',
    message: 'The disk cannot be made that size.',
    hint: 'Disks only grow: give a larger size.'
  },
  {
    text: /SSH public key validation error/,
    code: 'ssh_key_invalid',
    message: 'One of the SSH keys is not valid.',
    hint: 'Give one OpenSSH public key per entry.'
  },
  {
    text: /hostname: invalid format|does not look like a valid DNS name/,
    code: 'hostname_invalid',
    message: 'The hostname is not valid.',
    hint: 'Letters, digits and hyphens only; no underscore.'
  },
  {
    text: /bridge '[^']*' does not exist/,
    code: 'bridge_not_found',
    message: 'The network bridge does not exist on this node.',
    hint: 'Use one of the bridges of the node, usually vmbr0.'
  },
  {
    text: /Could not get lock \/var\/lib\/(dpkg|apt)\/|Unable to acquire the dpkg frontend lock|Unable to lock directory/,
    code: 'apt_locked',
    message: 'Another program holds the lock of the package manager.',
    hint:
      'It is held for a minute or two after a start, by unattended upgrades. Request the same again; if it still fails, ' +
      'apt-get -o DPkg::Lock::Timeout=300 waits for the lock by itself.'
  },
  {
    text: /dpkg was interrupted, you must manually run/,
    code: 'dpkg_interrupted',
    message: 'An earlier installation was interrupted.',
    hint: 'Run dpkg --configure -a there first.'
  },
  {
    text: /Unable to locate package|has no installation candidate/,
    code: 'package_not_found',
    message: 'There is no such package.',
    hint: 'Update the package lists and check the name.'
  },
  {
    text: /Temporary failure (in name resolution|resolving)|Could not resolve host|Network is unreachable/,
    code: 'no_network',
    message: 'There is no way to the network or to its names from there.',
    hint: 'Check the address, the gateway and the name server of the guest.'
  },
  {
    text: /Unit \S+ (could not be found|not found|not loaded)|Failed to \w+ unit: Unit file \S+ does not exist/,
    code: 'unit_not_found',
    message: 'There is no such unit.',
    hint: 'list_services names those that are there.'
  },
  {
    text: /Job for \S+ failed|entered failed state/,
    code: 'unit_failed',
    message: 'The unit failed.',
    hint: 'Read its log with read_logs.'
  },
  {
    text: /sudo: a (password|terminal) is required|sudo: no tty present/,
    code: 'sudo_password',
    message: 'sudo wants a password on this host.',
    hint: 'Allow the user these commands without a password in /etc/sudoers.d, or log in as root.'
  },
  {
    text: /403 Permission check failed|Permission denied/,
    code: 'permission_denied',
    message: 'The user may not do this.',
    hint: 'Check the rights of the user that the host is configured with.'
  },
  {
    text: /400 Parameter verification failed/,
    code: 'parameter_refused',
    message: 'Proxmox refused a parameter.',
    hint: 'The lines after "Parameter verification failed" name it.'
  },
  {
    text: /(?:pct|qm|pvesh|pveam|systemctl|apt-get): (?:command )?not found/,
    code: 'command_not_found',
    message: 'The command is not there.',
    hint: 'Check that this is a Proxmox VE node, or that the program is installed in the guest.'
  }
]

/** Lines from the end in which the reason is looked for: the last complaint is what ended the job. */
const searchedLines = 60

/** What a failed job's output means and what to do about it. */
export function classifyFailure(output: string, exitCode: number | null): AppError {
  const lines = linesOf(output).reverse()
  const data = { exitCode }
  for (const line of lines.slice(0, searchedLines)) {
    const found = known.find(({ text }) => text.test(line))
    if (found)
      return {
        ...{ code: found.code, message: `${found.message} (${shorten(line)})`, hint: found.hint },
        data: { ...data, line: shorten(line) }
      }
  }
  const [last] = lines
  return {
    code: exitCode === 127 ? 'command_not_found' : 'command_failed',
    message: `The command ended with exit code ${exitCode}. ${last ? `It printed last: ${shorten(last)}` : 'It printed nothing.'}`,
    hint: 'Read the output, then decide what to change before doing it again.',
    data: { ...data, ...(last !== undefined && { line: shorten(last) }) }
  }
}

const linesOf = (output: string): string[] =>
  output
    .split(/[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

const shorten = (line: string): string => (line.length > 300 ? `${line.slice(0, 299)}…` : line)
