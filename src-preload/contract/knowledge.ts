export interface DocumentView {
  readonly id: string
  readonly title: string
  readonly source: 'note' | 'file' | 'skill'
  readonly path: string | null
  readonly body: string
  readonly updatedAt: number
}

export interface KnowledgeHit {
  readonly id: string
  readonly title: string
  readonly source: 'note' | 'file' | 'execution' | 'session' | 'skill'
  /** Plain text; the matches stand between U+0002 and U+0003. */
  readonly snippet: string
  readonly updatedAt: number
}

export interface SkillView {
  readonly name: string
  readonly description: string
  readonly origin: 'shipped' | 'operator'
  readonly body: string
}
