import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import fc from 'fast-check'
import { silentLogger } from '../../../src-main/base/log'
import { createKnowledge } from '../../../src-main/knowledge/knowledge'
import { toQuery } from '../../../src-main/knowledge/query'
import type { Store } from '../../../src-main/store/store'
import { testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'

function knowledgeWith(folders: readonly string[] = []) {
  const store = testStore()
  const knowledge = createKnowledge({ store, folders: () => [...folders], log: silentLogger })
  onTestFinished(() => knowledge.close())
  return { store, knowledge }
}

const titlesOf = (hits: readonly { readonly title: string }[]) => hits.map(({ title }) => title)

const putNote = (store: Store, ref: string, title: string, body: string) =>
  store.db
    .prepare("INSERT INTO documents (source, ref, title, body, updated_at) VALUES ('note', ?, ?, ?, 1)")
    .run(ref, title, body)

describe('knowledge', () => {
  it('finds a note by the beginning of a word, without accents', () => {
    const { knowledge } = knowledgeWith()
    knowledge.saveNote({ title: 'Café network', body: 'The bridge of the café is vmbr7.' })
    expect(knowledge.search('cafe vmb', 5)).toMatchObject([{ title: 'Café network', source: 'note' }])
  })

  it('marks the words found in the snippet', () => {
    const { knowledge } = knowledgeWith()
    knowledge.saveNote({ title: 'Bridge', body: 'use vmbr7 for guests' })
    expect(knowledge.search('vmbr7', 5)[0]?.snippet).toBe('use \u0002vmbr7\u0003 for guests')
  })

  it('takes whatever is typed, without an error of the query language', () => {
    const { knowledge } = knowledgeWith()
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (typed) => {
        expect(Array.isArray(knowledge.search(typed, 3))).toBe(true)
      })
    )
    expect(toQuery('  "(*) ')).toBeNull()
  })

  it('changes and forgets notes', () => {
    const { knowledge } = knowledgeWith()
    const saved = knowledge.saveNote({ title: 'One', body: 'alpha' })
    if (!saved.ok) throw new Error(saved.error.message)
    knowledge.saveNote({ id: saved.value.id, title: 'One', body: 'beta' })
    expect(knowledge.search('alpha', 5)).toEqual([])
    expect(knowledge.search('beta', 5)).toHaveLength(1)
    expect(knowledge.deleteNote(saved.value.id).ok).toBe(true)
    expect(knowledge.search('beta', 5)).toEqual([])
  })

  it('puts a word in the title before the same word in the text, and takes accents as they come', () => {
    const { knowledge } = knowledgeWith()
    knowledge.saveNote({ title: 'Nächte', body: 'When the backup runs, and the backup of the backup.' })
    knowledge.saveNote({
      title: 'Backup',
      body: 'Every night at three, of all guests on strong and on weak.'
    })
    expect(titlesOf(knowledge.search('backup', 5))).toEqual(['Backup', 'Nächte'])
    for (const typed of ['na', 'nac', 'NÄCH', 'nachte', 'nächte'])
      expect(titlesOf(knowledge.search(typed, 5)), typed).toEqual(['Nächte'])
  })

  it('finds each document once where thousands match: those with the word in the title, then the newest', () => {
    const { store, knowledge } = knowledgeWith()
    store.transact(() => {
      for (let i = 0; i < 1_200; i++)
        putNote(store, `n${i}`, i === 7 ? 'Bridges' : `Note ${i}`, `the bridge vmbr${i}`)
    })
    for (const typed of ['bridge', 'bri', 'the bridge', 'bridge vm']) {
      const hits = knowledge.search(typed, 50)
      expect(new Set(hits.map(({ id }) => id)).size, typed).toBe(50)
      expect(
        hits.every(({ snippet }) => snippet.includes('\u0002')),
        typed
      ).toBe(true)
    }
    expect(titlesOf(knowledge.search('bridge', 3))).toEqual(['Bridges', 'Note 1199', 'Note 1198'])
    expect(titlesOf(knowledge.search('bridge vmbr11', 200))).toHaveLength(101 + 10)
    expect(titlesOf(knowledge.search('bridge vmbr7', 1))).toEqual(['Bridges'])
    const [first] = knowledge.search('bridge', 1)
    knowledge.saveNote({ id: first?.id ?? '', title: 'Vmbr7', body: 'the bridge' })
    expect(titlesOf(knowledge.search('bridge', 1)), 'after its title has changed').toEqual(['Note 1199'])
    expect(titlesOf(knowledge.search('vmbr', 1)), 'after its title has changed').toEqual(['Vmbr7'])
    knowledge.deleteNote(first?.id ?? '')
    expect(titlesOf(knowledge.search('vmbr', 1)), 'after it has been removed').toEqual(['Note 1199'])
  })

  it('finds the documents that have every word, the last one perhaps unfinished, and no others', () => {
    const { store, knowledge } = knowledgeWith()
    const words = [
      'node',
      'nodes',
      'Nöde',
      'nodejs',
      'no',
      'backup',
      'back',
      'größe',
      'grosse',
      'vm_id',
      '100',
      '1000',
      'n'
    ]
    const texts = fc.sample(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }), {
      numRuns: 300,
      seed: 5
    })
    store.transact(() => texts.forEach((text, i) => putNote(store, `n${i}`, '', text.join(' '))))
    const folded = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split('_')
    const has = (text: readonly string[], typed: readonly string[]) => {
      const all = text.flatMap(folded)
      const last = typed.length - 1
      return typed.every((word, i) =>
        all.some((each) => (i === last && word.length > 1 ? each.startsWith(word) : each === word))
      )
    }
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...words, 'bac', 'nod', 'gr', 'x', 'xy', '10'), {
          minLength: 1,
          maxLength: 3
        }),
        (typed) => {
          const wanted = texts.flatMap((text, i) => (has(text, typed.flatMap(folded)) ? [`note:n${i}`] : []))
          expect(
            knowledge
              .search(typed.join(' '), 400)
              .map(({ id }) => id)
              .sort()
          ).toEqual(wanted.sort())
        }
      )
    )
  })

  it('follows a folder of Markdown, without links out of it', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'backup.md'), '# Backups\nEvery night at three.')
    symlinkSync('/etc/passwd', join(folder, 'passwd.md'))
    mkdirSync(join(folder, '.git'))
    writeFileSync(join(folder, '.git', 'hidden.md'), 'night secret')
    const { knowledge } = knowledgeWith([folder])
    await knowledge.refreshFolders()
    expect(knowledge.search('night', 5)).toMatchObject([{ title: 'Backups', source: 'file' }])
    expect(knowledge.search('root bash', 5)).toEqual([])
    writeFileSync(join(folder, 'restore.md'), '# Restore\nEvery quarter.')
    await vi.waitFor(() => expect(knowledge.search('quarter', 5)).toHaveLength(1), { timeout: 5000 })
  })

  it('knows what was said in a session, and forgets it with the session', () => {
    const { store, knowledge } = knowledgeWith()
    store.db.exec(`
      INSERT INTO sessions (id, title, created_at, updated_at) VALUES ('s', 'Deploy', 1, 1);
      INSERT INTO messages (id, session_id, seq, role, kind, state, created_at) VALUES ('m', 's', 1, 'assistant', 'turn', 'streaming', 1);
      INSERT INTO message_parts (message_id, idx, step, type, text) VALUES ('m', 0, 0, 'text', 'the route is in place');
      UPDATE messages SET state = 'done' WHERE id = 'm';`)
    knowledge.saveNote({ title: 'Routes', body: 'where each route is kept' })
    expect(knowledge.searchMessages('route', 5)).toEqual([
      {
        sessionId: 's',
        sessionTitle: 'Deploy',
        messageId: 'm',
        snippet: 'the \u0002route\u0003 is in place',
        at: 1
      }
    ])
    expect(knowledge.search('place', 5)).toMatchObject([{ title: 'Deploy', source: 'session' }])
    store.db.exec(`
      INSERT INTO messages (id, session_id, seq, role, kind, state, created_at) VALUES ('m2', 's', 2, 'assistant', 'turn', 'streaming', 2);
      INSERT INTO message_parts (message_id, idx, step, type, text) VALUES ('m2', 0, 0, 'text', 'in another place');
      UPDATE messages SET state = 'done' WHERE id = 'm2';`)
    const places = knowledge.search('place', 5)
    expect(places.map(({ place }) => place)).toEqual([
      { page: 'chat', sessionId: 's', messageId: 'm2' },
      { page: 'chat', sessionId: 's', messageId: 'm' }
    ])
    expect(new Set(places.map(({ id }) => id)).size, 'a hit for each message').toBe(2)
    store.transact(() => {
      for (let i = 0; i < 600; i++) putNote(store, `n${i}`, 'Routes', `route ${i}`)
    })
    expect(knowledge.searchMessages('route', 5), 'among many notes').toMatchObject([{ messageId: 'm' }])
    store.db.exec(`DELETE FROM sessions WHERE id = 's'`)
    expect(knowledge.searchMessages('route', 5)).toEqual([])
  })
})
