import { expect, test } from 'vitest'
import type { Bridge } from '../../../src-preload/contract'
import { readTextFile } from '../../../src-renderer/lib/read-file'
import { Client } from '../../../src-renderer/state/client.svelte'
import { Draft, Drafts } from '../../../src-renderer/state/composer.svelte'
import { Store } from '../../../src-renderer/state/store.svelte'

const draftsThatAnswer = (answer: unknown) => {
  const sent: unknown[] = []
  const bridge = {
    request: (route: string, input: unknown) => {
      sent.push([route, input])
      return Promise.resolve(answer)
    },
    onEvent: () => () => undefined,
    platform: 'linux'
  } as unknown as Bridge
  return { drafts: new Drafts(new Client(bridge), new Store()), sent }
}

test('a paste of 4,000 characters or 60 lines is held beside the text, a shorter one is typed', () => {
  const draft = new Draft()
  expect(draft.paste('x'.repeat(3_999))).toBe(false)
  expect(draft.paste('line\n'.repeat(59))).toBe(false)
  expect(draft.paste('line\n'.repeat(60))).toBe(true)
  expect(draft.paste('x'.repeat(4_000))).toBe(true)
  expect(draft.attachments.map(({ name, lines, bytes }) => [name, lines, bytes])).toEqual([
    ['Pasted text 1', 60, 300],
    ['Pasted text 2', 1, 4_000]
  ])
})

test('an attachment turned back into text is put below what is written, and is gone from beside it', () => {
  const draft = new Draft()
  draft.text = 'look at this'
  draft.paste('line\n'.repeat(60))
  draft.turnIntoText(draft.attachments[0]?.id ?? '')
  expect(draft.text).toBe(`look at this\n\n${'line\n'.repeat(60)}`)
  expect(draft.attachments).toEqual([])
})

test('a limit says what was not attached and why, and keeps what was', () => {
  const draft = new Draft()
  draft.attach('dump.sql', 'x'.repeat(1_000_001))
  expect(draft.error).toMatchObject({
    code: 'attachment_too_large',
    message: expect.stringContaining('dump.sql') as string
  })
  for (let n = 0; n < 11; n++) draft.attach(`f${n}`, 'x')
  expect(draft.attachments).toHaveLength(10)
  expect(draft.error).toMatchObject({ code: 'attachment_too_many' })
})

test('of fifty files ten are attached; each that is not is counted, with why, whatever came after it', async () => {
  const draft = new Draft()
  const program = new File([new Uint8Array([0])], 'a.out')
  const texts = Array.from({ length: 49 }, (_, n) => new File(['x'], `f${n}.log`))
  await draft.attachFiles([program, ...texts])
  expect(draft.attachments.map(({ name }) => name)).toEqual(texts.slice(0, 10).map(({ name }) => name))
  expect(draft.error?.message).toBe('40 files were not attached.')
  expect(draft.error?.hint).toBe(
    'a.out: no text in UTF-8. f10.log, f11.log, f12.log and 36 more: a message takes ten.'
  )
})

test('files: a text in UTF-8 is read; a program, another encoding, an empty and a huge one are named as what they are', async () => {
  expect(await readTextFile(new Blob(['größe\n']))).toEqual({ text: 'größe\n' })
  expect(await readTextFile(new Blob([new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0])]))).toEqual({
    refused: 'not_text'
  })
  expect(await readTextFile(new Blob([new Uint8Array([0xff, 0xfe, 0x41])]))).toEqual({ refused: 'not_text' })
  expect(await readTextFile(new Blob([' \n']))).toEqual({ refused: 'empty' })
  expect(await readTextFile({ size: 4_000_001 } as Blob)).toEqual({ refused: 'too_large' })
})

test('what could not be sent is back in the draft, beside what was written since', async () => {
  const { drafts, sent } = draftsThatAnswer({ ok: false, error: { code: 'disk_full', message: 'full' } })
  const draft = drafts.of('s')
  draft.text = 'hello '
  draft.attach('a.log', 'x')
  const sending = drafts.send('s')
  draft.text = 'more'
  await sending
  expect(sent).toEqual([
    ['message.send', { sessionId: 's', text: 'hello', attachments: [{ name: 'a.log', text: 'x' }] }]
  ])
  expect(draft.text).toBe('more\n\nhello ')
  expect(draft.attachments.map(({ name }) => name)).toEqual(['a.log'])
  expect(draft.error).toMatchObject({ code: 'disk_full' })
})

test('what was written while Nomos started goes along to the session that is shown then', () => {
  const { drafts } = draftsThatAnswer({ ok: true, data: null })
  const gone = drafts.of('deleted meanwhile')
  gone.text = 'restart caddy'
  gone.paste('line\n'.repeat(60))
  drafts.of('shown').text = 'half a thought'
  drafts.carry('deleted meanwhile', 'shown')
  expect(drafts.of('shown').text).toBe('half a thought\n\nrestart caddy')
  expect(drafts.of('shown').attachments).toHaveLength(1)
  expect(gone.empty).toBe(true)
  drafts.carry('shown', 'shown')
  expect(drafts.of('shown').attachments).toHaveLength(1)
})
