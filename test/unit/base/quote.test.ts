import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteArg, quoteArgv } from '../../../src-main/base/quote'

/** What a real shell makes of a command line: the arguments after the first word. */
function argumentsSeenBy(shell: string, line: string): string[] {
  const run = spawnSync(shell, ['-c', line], { encoding: 'buffer' })
  expect(run.status, run.stderr.toString()).toBe(0)
  return run.stdout.toString('utf8').split('\0').slice(0, -1)
}

/** How fish takes a quoted word apart: https://fishshell.com/docs/current/language.html#quotes */
function fishReads(word: string): string {
  return word.replace(
    /'((?:\\['\\]|[^'])*)'|\\(.)/gs,
    (_, run: string | undefined, escaped: string | undefined) =>
      run === undefined ? (escaped ?? '') : run.replace(/\\(['\\])/g, '$1')
  )
}

const words = fc.array(
  fc
    .oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom("'", '\\', '"', '$', '`', '!', '\n', ' ', '*', '~', '=', '-', 'a') })
    )
    .filter((word) => !word.includes('\0') && word.isWellFormed()),
  { minLength: 1, maxLength: 12 }
)

describe('quoting an argv for the remote shell', () => {
  it.each(['sh', 'bash'])('%s gets every argument back unchanged', (shell) => {
    fc.assert(
      // Several lines for each shell: starting one is what takes the time.
      fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), (lines) => {
        const script = lines.map((args) => quoteArgv(['printf', '%s\\0', ...args])).join('\n')
        expect(argumentsSeenBy(shell, script)).toEqual(lines.flat())
      }),
      { numRuns: 25 }
    )
  })

  it('keeps plain commands readable', () => {
    expect(
      quoteArgv(['pct', 'create', '105', 'local:vztmpl/x_12.tar.zst', '--cores', '2', '--net0', 'name=eth0'])
    ).toBe('pct create 105 local:vztmpl/x_12.tar.zst --cores 2 --net0 name=eth0')
  })

  it('quotes what a shell would expand', () => {
    expect(quoteArg('')).toBe("''")
    expect(quoteArg("it's")).toBe("'it'\\''s'")
    expect(quoteArg('~/x')).toBe("'~/x'")
    expect(quoteArg('$(reboot)')).toBe("'$(reboot)'")
    expect(quoteArg('a;b')).toBe("'a;b'")
  })

  it('never lets the first word be an assignment or a reserved word', () => {
    expect(quoteArgv(['PATH=/tmp', 'x=y'])).toBe("'PATH=/tmp' x=y")
    expect(quoteArgv(['if', 'if'])).toBe("'if' if")
  })

  it('means the same to the fish shell, which has escapes inside single quotes', () => {
    fc.assert(
      fc.property(words, (args) => {
        expect(args.map((word) => fishReads(quoteArg(word)))).toEqual(args)
      })
    )
  })

  it('refuses NUL', () => {
    expect(() => quoteArgv(['echo', 'a\0b'])).toThrow(RangeError)
  })
})
