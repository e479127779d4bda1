import type { DocumentView, KnowledgeHit, SearchHit } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** Notes, watched folders of Markdown, past executions and sessions; one full-text index over all. */
export interface Knowledge {
  search(query: string, limit: number): readonly KnowledgeHit[]
  /** Messages of all sessions in which the words occur; the last word may be unfinished. */
  searchMessages(query: string, limit: number): readonly SearchHit[]
  list(limit: number): readonly KnowledgeHit[]
  get(id: string): Result<DocumentView>
  saveNote(note: { id?: string; title: string; body: string }): Result<DocumentView>
  deleteNote(id: string): Result<null>
}
