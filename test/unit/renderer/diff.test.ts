import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDiff, parseDiff } from '../../../src-renderer/lib/diff'
import { shapeOf } from '../../../src-renderer/lib/shape'

const changed = `diff --git a/etc/hosts b/etc/hosts
index 3f1a2b1..9c0d7e2 100644
--- a/etc/hosts
+++ b/etc/hosts
@@ -1,4 +1,4 @@ loopback
 127.0.0.1 localhost
-192.0.2.5 strong
+192.0.2.6 strong

 # end
\\ No newline at end of file
`

describe('a unified diff in the output of a tool', () => {
  it('is told from a log that has plus and minus signs', () => {
    expect(shapeOf(changed).kind).toBe('diff')
    expect(shapeOf('--- starting\n+++ done\n- item\n+ item').kind).toBe('log')
    expect(isDiff(changed + ' x\n'.repeat(200_000))).toBe(false)
  })

  it('is read into files and lines with their numbers', () => {
    const { files, rest } = parseDiff(`$ git diff\n${changed}`)
    expect(rest).toBe('$ git diff')
    expect(files).toMatchObject([{ path: 'etc/hosts', was: null, change: 'changed', added: 1, removed: 1 }])
    expect(files[0]?.lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['hunk', null, null],
      ['same', 1, 1],
      ['removed', 2, null],
      ['added', null, 2],
      ['same', 3, 3],
      ['same', 4, 4],
      ['note', null, null]
    ])
  })

  it('names new, removed and moved files, with the times of diff -u left out', () => {
    const two =
      '--- /dev/null\n+++ b/new.conf\n@@ -0,0 +1 @@\n+x\n' +
      '--- old.conf\t2026-01-01 10:00:00\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' +
      '--- a/one\n+++ b/two\n@@ -1 +1 @@\n-x\n+y\n'
    expect(parseDiff(two).files).toMatchObject([
      { path: 'new.conf', change: 'added' },
      { path: 'old.conf', change: 'removed' },
      { path: 'two', was: 'one', change: 'changed' }
    ])
  })

  it('keeps a removed line that looks like the head of a file, and ends a hunk that counts too many', () => {
    const head = parseDiff('--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,1 @@\n--- a comment\n x\n')
    expect(head.files[0]?.lines[1]).toMatchObject({ kind: 'removed', text: '-- a comment' })
    expect(parseDiff(changed.replace('-1,4 +1,4', '-1,90 +1,90') + changed).files).toHaveLength(2)
  })

  it('loses no line, whatever it is', () => {
    const line = fc.oneof(
      fc.constantFrom('--- a/x', '+++ b/x', '@@ -1,3 +1,3 @@', '+new', '-old', ' same', '', '\\ No newline'),
      fc.string({ maxLength: 12 }).map((text) => text.replace(/\n/g, ''))
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const { files, rest } = parseDiff(`${lines.join('\n')}\nmark`)
        const shown = [...files.flatMap((file) => file.lines.map(({ text }) => text)), rest].join('\n')
        expect(shown).toContain('mark')
        for (const added of lines.filter((each) => each === '+new')) expect(shown).toContain(added.slice(1))
      })
    )
  })
})
