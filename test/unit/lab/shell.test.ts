import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteArgv } from '../../../src-main/base/quote'
import { evaluateLine, plainWords, type Timeline } from '../../../src-main/lab/jobs/evaluate'
import { NeedsInput } from '../../../src-main/lab/shell/recording'
import { seedWorld } from '../../../src-main/lab/world/seed'

const world = seedWorld(1_700_000_000_000)
const run = (line: string, stdin: string | null = ''): Timeline =>
  evaluateLine({ world, machine: 'host:strong', at: 1_700_000_000_000, pace: 1 }, line, stdin)
const out = (line: string, stdin: string | null = '') =>
  run(line, stdin)
    .events.map((event) => event.out ?? '')
    .join('')
const err = (line: string) =>
  run(line)
    .events.map((event) => event.err ?? '')
    .join('')

/** Anything that can stand in an argument over SSH. */
const word = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !text.includes('\0'))

describe('the shell of the simulated hosts', () => {
  it('B10: takes every quoted argument exactly as it was given', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        expect(out(quoteArgv(['printf', '%s\\n', ...words]))).toBe(words.map((each) => `${each}\n`).join(''))
        expect(plainWords(quoteArgv(['sh', ...words]))).toEqual(['sh', ...words])
      })
    )
  })

  it('takes arguments through two layers of quoting', () => {
    fc.assert(
      fc.property(word, (text) => {
        const inner = quoteArgv(['printf', '%s', text])
        expect(
          out(quoteArgv(['pct', 'exec', '101', '--', 'env', '-i', 'PATH=/usr/bin', 'sh', '-c', inner]))
        ).toBe(text)
      })
    )
  })

  it.each([
    ['echo a && echo b || echo c; echo d', 'a\nb\nd\n'],
    ['false && echo a || echo b', 'b\n'],
    ['! true; echo $?', '1\n'],
    ['printf "b\\na\\nb\\n" | sort -u | head -n 1', 'a\n'],
    ['printf "one two\\nthree\\n" | grep -c e | wc -l', '1\n'],
    ['X=1; (X=2; echo $X); echo $X', '2\n1\n'],
    ['for i in 1 2 3; do echo $i; done | tail -n 2', '2\n3\n'],
    ['i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; echo $i', '3\n'],
    ['if [ -f /etc/hostname ]; then cat /etc/hostname; else echo no; fi', 'strong\n'],
    ['case strong in st*) echo yes;; *) echo no;; esac', 'yes\n'],
    ['echo "$(hostname) ${NONE:-none}"', 'strong none\n'],
    ['A=b env -i C=d env', 'C=d\n'],
    ['sh -c \'echo "$1-$2"\' name one two', 'one-two\n'],
    ["cat <<'E'\n$HOME\nE", '$HOME\n'],
    ['printf x > /tmp/f; printf y >> /tmp/f; cat < /tmp/f; echo 2>/dev/null', 'xy\n'],
    ['ls /etc/hos*', '/etc/hostname\n/etc/hosts\n'],
    ["printf '\\036step %s\\n' create", '\u001estep create\n'],
    ['echo one | cut -d n -f 1; echo hi | tr a-z A-Z; echo hi | base64 | base64 -d', 'o\nHI\nhi\n'],
    ['name=a.tar.gz; echo ${name%.gz} ${name##*.} ${#name}', 'a.tar gz 8\n']
  ])('%s', (line, expected) => {
    expect(out(line)).toBe(expected)
  })

  it('says what it does not know, with the exit codes of a shell', () => {
    expect(run('nosuch --x').code).toBe(127)
    expect(err('nosuch --x')).toBe('bash: line 1: nosuch: command not found\n')
    expect(run('exit 7; echo no').code).toBe(7)
    expect(err('cat /no/such')).toBe('cat: /no/such: No such file or directory\n')
    expect(err('echo x > /no/such/file')).toBe('bash: line 1: /no/such/file: No such file or directory\n')
    expect(run('echo "open').code).toBe(2)
  })

  it('asks for input only when something reads it', () => {
    expect(out('pveversion', null)).toContain('pve-manager')
    expect(() => run('cat > /tmp/x', null)).toThrow(NeedsInput)
    expect(out('cat | wc -c', 'four')).toBe('4\n')
  })

  it('never throws for whatever line it is given', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (line) => {
        expect(typeof run(line).code).toBe('number')
      })
    )
  })

  it.each([
    'toString',
    'constructor',
    'pvesh get /nodes/constructor/status',
    'pct constructor 101',
    'pveam list constructor',
    'echo "$toString"',
    "grep '[' /etc/hosts"
  ])('survives %s', (line) => {
    const { code } = run(line)
    expect(typeof code).toBe('number')
    expect(out(line)).not.toContain('native code')
  })

  it('changes nothing of the world itself', () => {
    const before = JSON.stringify(world)
    run('pct shutdown 110 && pct destroy 110; rm -rf /etc; apt-get -y upgrade')
    expect(JSON.stringify(world)).toBe(before)
  })

  it('ends a program with 124 when timeout says so', () => {
    const cut = run('timeout 2 sleep 10')
    expect(cut).toMatchObject({ code: 124, length: 2000 })
  })
})
