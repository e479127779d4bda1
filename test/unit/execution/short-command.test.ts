import { describe, expect, it } from 'vitest'
import { sayShort, shortCommand, shortScript } from '../../../src-main/execution/actions/short-command'

describe('a command in a sentence', () => {
  it.each<[readonly string[], string]>([
    [['mkdir', '/srv/app'], '"mkdir /srv/app"'],
    [['sh', '-c', 'df -h /'], '"df -h /"'],
    [
      [
        'sh',
        '-c',
        'set -e\n# the packages\napt-get update\napt-get install -y curl git\ncurl -fsSL https://x.example | tar xz\nsystemctl enable --now app\n'
      ],
      'a shell script of 5 lines (apt-get, curl, tar …)'
    ],
    [
      ['bash', '-ec', 'cd /srv\nsudo docker compose up -d\n/usr/bin/systemctl reload caddy'],
      'a shell script of 3 lines (docker, systemctl)'
    ],
    [['bash', '/root/setup.sh'], '"bash /root/setup.sh"'],
    [['printf', '%s', 'x'.repeat(100)], `"printf %s ${'x'.repeat(49)}…"`]
  ])('%j', (argv, said) => {
    expect(sayShort(shortCommand(argv))).toBe(said)
  })

  it('a line that is long is said by its programs, one that is nothing but setting by its length', () => {
    const line =
      'apt-get update && apt-get install -y --no-install-recommends caddy && systemctl reload caddy'
    expect(sayShort(shortScript(line))).toBe('a long shell command (apt-get, systemctl)')
    expect(sayShort(shortScript('set -e\nexport A=1\ncd /srv'))).toBe('a shell script of 3 lines')
    expect(sayShort(shortScript('for x in a b; do\n  rm "$x"\ndone'))).toBe('a shell script of 3 lines (rm)')
  })
})
