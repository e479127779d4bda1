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
  /** Whether the agent may read it: the operator's own only as it was when they allowed it. */
  readonly state: 'allowed' | 'new' | 'changed'
  readonly body: string
  /** SHA-256 of the file. */
  readonly hash: string
}
