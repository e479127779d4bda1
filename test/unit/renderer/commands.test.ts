import { describe, expect, it } from 'vitest'
import { escapeOf, stretches, visible } from '../../../src-renderer/lib/escapes'

describe('commands on an approval card', () => {
  it('shows plain commands as they are', () => {
    expect(stretches('pct start 105')).toEqual([{ kind: 'plain', text: 'pct start 105', breaks: false }])
  })

  it('writes out a newline that hides a second command, and breaks there', () => {
    expect(visible("echo 'ok\nrm -rf /'")).toBe("echo 'ok\\nrm -rf /'")
    expect(stretches('a\nb').map((part) => part.breaks)).toEqual([false, true, false])
  })

  it('writes out every character that cannot be seen', () => {
    const hidden =
      '\u0000\u0007\t\r\u001b\u007f\u0085\u00a0\u00ad\u200b\u200d\u200e\u202e\u2028\u2066\u2800\u3164\ufe0f\ufeff\u{e0041}\ud800'
    for (const char of hidden) {
      expect(stretches(char), escapeOf(char)).toEqual([
        { kind: 'escape', text: escapeOf(char), breaks: false }
      ])
    }
    expect(visible('\u202egnp')).toBe('\\u{202E}gnp')
  })

  it('marks letters that may be taken for others', () => {
    expect(stretches('сaddy')).toEqual([
      { kind: 'foreign', text: 'с', breaks: false },
      { kind: 'plain', text: 'addy', breaks: false }
    ])
  })
})
