import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import fc from 'fast-check'
import { silentLogger } from '../../../src-main/base/log'
import { createKnowledge } from '../../../src-main/knowledge/knowledge'
import { toMatch } from '../../../src-main/knowledge/query'
import { testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'

function knowledgeWith(folders: readonly string[] = []) {
  const store = testStore()
  const knowledge = createKnowledge({ store, folders: () => [...folders], log: silentLogger })
  onTestFinished(() => knowledge.close())
  return { store, knowledge }
}

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
    expect(toMatch('  "(*) ')).toBeNull()
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
    expect(knowledge.searchMessages('route', 5)).toMatchObject([
      { sessionId: 's', sessionTitle: 'Deploy', messageId: 'm' }
    ])
    store.db.exec(`DELETE FROM sessions WHERE id = 's'`)
    expect(knowledge.searchMessages('route', 5)).toEqual([])
  })
})
