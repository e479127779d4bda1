import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSnippets } from '../../../src-main/knowledge/snippet'

const snippet = (typed: string, text: string) => createSnippets(typed.split(' '))(text)
/** As the page shows it: what was found in brackets. */
const shown = (typed: string, text: string) =>
  snippet(typed, text).replaceAll('\u0002', '[').replaceAll('\u0003', ']')

const filler = (words: number) => Array.from({ length: words }, (_, i) => `w${i}`).join(' ')

describe('the snippet of a document that was found', () => {
  it('marks whole words, and of the last one the beginning goes on', () => {
    expect(shown('node back', 'Nodes, a node: Backup of node1, the backups.')).toBe(
      'Nodes, a [node]: [Backup] of node1, the [backups].'
    )
  })

  it('marks words whatever their accents and capitals, also where an accent is a character of its own', () => {
    expect(shown('nachte', 'ÜBER NÄCHTE')).toBe('ÜBER [NÄCHTE]')
    expect(shown('Nächte', 'über na\u0308chten, İ')).toBe('über [nächten], İ')
    expect(shown('한국', '한국어 하')).toBe('[한국어] 하')
  })

  it('marks the parts of a name as the index has them', () => {
    expect(shown('vm_id', 'the vm_id of vm_idle')).toBe('the [vm]_[id] of [vm]_[idle]')
  })

  it('is the piece of the text where most of the words are', () => {
    expect(shown('route gone', `route ${filler(60)} the route is gone ${filler(60)}`)).toBe(
      `…w57 w58 w59 the [route] is [gone] ${filler(17)}…`
    )
  })

  it('begins with the text when what was found is near its beginning, and leaves a short text whole', () => {
    expect(shown('route', `A route. ${filler(60)}`)).toBe(`A [route]. ${filler(22)}…`)
    expect(shown('route', 'The route.\n')).toBe('The [route].\n')
    expect(shown('bridge', 'Nothing of it here.')).toBe('Nothing of it here.')
  })

  it('is short and says nothing but the text, whatever the text is', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', 'b', 'ä', 'a\u0308', ' ', '.', '_', 'İ', '한', '😀'),
      maxLength: 900
    })
    fc.assert(
      fc.property(texts, fc.constantFrom('a', 'ab', 'ä b', 'a_b a', 'ba b'), (text, typed) => {
        const made = snippet(typed, text)
        expect(made.length).toBeLessThan(700)
        const plain = made.replace(/[\u0002\u0003]|^…|…$/g, '')
        expect(text.normalize('NFC')).toContain(plain)
      })
    )
  })
})
