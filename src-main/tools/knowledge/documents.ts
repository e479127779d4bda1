import { z } from 'zod'
import type { KnowledgeHit } from '../../../src-preload/contract'
import type { Knowledge } from '../../knowledge/port'
import { defineTool } from '../define'
import { count, moment } from '../format'
import { refused, told } from '../outcome'
import type { Tool } from '../tool'

const sources = ['note', 'file', 'execution', 'session', 'skill'] as const

/** What the tool that reads it takes. */
function idOf({ id, place }: KnowledgeHit): string {
  if (place?.page === 'chat') return place.sessionId ?? id
  return place?.page === 'ops' ? (place.executionId ?? id) : id
}

/** Tools for what the operator has written down and what was done before. */
export const documentTools = (knowledge: Knowledge): Tool[] => [
  defineTool({
    name: 'search_knowledge',
    title: 'Search knowledge',
    group: 'knowledge',
    description:
      "Full-text search over the operator's notes and runbooks, past executions and sessions; the best matches with a " +
      'snippet. Use it before asking the operator how something is done here. Read a match with get_document, a session ' +
      'with get_session, an execution with get_execution_status.',
    input: z.strictObject({ query: z.string().min(1).max(400).describe('Words to look for.') }),
    output: z.object({
      hits: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          source: z.enum(sources),
          snippet: z.string(),
          updated_at: z.number()
        })
      )
    }),
    readOnly: true,
    timeoutMs: 15_000,
    sentence: ({ query }) => ({ sentence: `Searching knowledge for "${query}"`, object: `"${query}"` }),
    run({ query }, { sessionId }) {
      // What was said in this very conversation the model has before it.
      const others = knowledge
        .search(query, 24)
        .filter((hit) => hit.source !== 'session' || idOf(hit) !== sessionId)
      const hits = others.slice(0, 12).map((hit) => ({
        id: idOf(hit),
        title: hit.title,
        source: hit.source,
        snippet: hit.snippet.replaceAll('\u0002', '**').replaceAll('\u0003', '**'),
        updated_at: hit.updatedAt
      }))
      const lines = hits.map(
        (hit) => `${hit.id} [${hit.source}] ${hit.title}\n  ${hit.snippet.replace(/\s+/g, ' ')}`
      )
      const text =
        hits.length === 0
          ? `Nothing is known about "${query}".`
          : [count(hits.length, 'match', 'matches'), ...lines].join('\n')
      return Promise.resolve(told(text, { hits }))
    }
  }),

  defineTool({
    name: 'get_document',
    title: 'Read a document',
    group: 'knowledge',
    description: 'One note, runbook or other document of search_knowledge as a whole, by its ID.',
    input: z.strictObject({ id: z.string().min(1).max(400).describe('ID from search_knowledge.') }),
    output: z.object({
      id: z.string(),
      title: z.string(),
      source: z.string(),
      path: z.string().nullable(),
      body: z.string(),
      updated_at: z.number()
    }),
    readOnly: true,
    timeoutMs: 15_000,
    sentence: ({ id }) => {
      const found = knowledge.get(id)
      return {
        sentence: `Reading ${found.ok ? found.value.title : 'a document'}`,
        object: found.ok ? found.value.title : 'document'
      }
    },
    run({ id }) {
      const found = knowledge.get(id)
      if (!found.ok) return Promise.resolve(refused(found.error))
      const { title, source, path, body, updatedAt } = found.value
      const text = `${title} [${source}${path === null ? '' : `, ${path}`}], ${moment(updatedAt)}\n\n${body}`
      return Promise.resolve(told(text, { id, title, source, path, body, updated_at: updatedAt }))
    }
  }),

  defineTool({
    name: 'add_note',
    title: 'Add a note',
    group: 'knowledge',
    description:
      "Writes a new note into the operator's knowledge, in Markdown. Use it when the operator asks to remember something, " +
      'or for a fact of lasting use that was found out. Never for secrets.',
    input: z.strictObject({
      title: z.string().min(1).max(200),
      body: z.string().min(1).max(50_000).describe('Markdown.')
    }),
    output: z.object({ id: z.string(), title: z.string() }),
    readOnly: false,
    timeoutMs: 15_000,
    sentence: ({ title }) => ({ sentence: `Writing the note "${title}"`, object: `"${title}"` }),
    run({ title, body }) {
      const saved = knowledge.saveNote({ title, body })
      if (!saved.ok) return Promise.resolve(refused(saved.error))
      return Promise.resolve(
        told(`Saved as ${saved.value.id}.`, { id: saved.value.id, title: saved.value.title })
      )
    }
  })
]
