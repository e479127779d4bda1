import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyCommand } from '../../../src-main/execution/shell/classify'
import { tempFolder } from '../../support/temp'

const pieces = [
  ...[
    'ls',
    'x',
    ' ',
    '\t',
    '\n',
    ';',
    '&',
    '|',
    '>',
    '<',
    '>&',
    '&>',
    '|&',
    '<<',
    '<<<',
    '\nEOF\n',
    '/dev/null'
  ],
  ...[
    '#',
    "'",
    '"',
    '\\',
    '\\\n',
    '$',
    '`',
    '(',
    ')',
    '{',
    '}',
    '!',
    '[[',
    ']]',
    '((',
    '))',
    '$(',
    '${',
    "$'"
  ],
  ...[
    '$"',
    '$[',
    'if ',
    'then ',
    'fi',
    'do ',
    'time ',
    'case ',
    'esac',
    ' in ',
    '=',
    'a=',
    '\u00a0',
    '\u2028'
  ],
  ...['1', '*', '~', 'coproc ', 'function ', '<(', '{fd}', '||', '&&', ';;', 'echo ', 'eval ', '2>&1 ', '>|'],
  ...['touch y', 'touch y', '\ntouch y\n', 'ls ']
]

/** What a shell leaves behind when it runs the text with `ls` and `touch` alone. */
function leftBehind(shell: string, text: string, bin: string, cwd: string): string[] {
  spawnSync(shell, ['-c', text], { cwd, env: { PATH: bin }, input: '', timeout: 5_000 })
  return readdirSync(cwd)
}

describe('what counts as reading', () => {
  it('B1 B8: leaves nothing behind in the shell that runs it, however it is written', () => {
    const folder = tempFolder()
    const [bin, cwd] = [join(folder, 'bin'), join(folder, 'cwd')]
    for (const each of [bin, cwd]) mkdirSync(each)
    symlinkSync('/bin/touch', join(bin, 'touch'))
    writeFileSync(join(bin, 'ls'), '#!/bin/sh\n', { mode: 0o755 })
    expect(leftBehind('/bin/sh', 'ls & touch proof', bin, join(folder, 'bin'))).toContain('proof')

    const text = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 9 })
    fc.assert(
      fc.property(text, (parts) => {
        const command = `ls ${parts.join('')}`
        if (classifyCommand(command).risk !== 'read_only') return
        expect(leftBehind('/bin/sh', command, bin, cwd), command).toEqual([])
      }),
      { numRuns: 4_000 }
    )
  })
})
