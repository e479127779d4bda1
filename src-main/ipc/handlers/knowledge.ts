import { ok } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'

/** Most hits of a search, and most documents of the list. */
const most = 200

/** Notes, runbooks and skills. */
export function knowledgeHandlers({ knowledge, skills }: Services): Group<'knowledge' | 'skill'> {
  return {
    'knowledge.search': async ({ query }) => ok([...knowledge.search(query, most)]),
    'knowledge.list': async () => ok([...knowledge.list(most)]),
    'knowledge.get': async ({ id }) => knowledge.get(id),
    'knowledge.save_note': async ({ id, title, body }) =>
      knowledge.saveNote({ title, body, ...(id !== undefined && { id }) }),
    'knowledge.delete_note': async ({ id }) => knowledge.deleteNote(id),
    'skill.list': async () => ok({ skills: skills.list(), refused: skills.refused() }),
    'skill.allow': async ({ name, hash, allowed }) => skills.allow(name, hash, allowed)
  }
}
