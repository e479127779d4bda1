import type { Place } from './events'

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
  /** Where it is to be seen; null for a document that `knowledge.get` reads. */
  readonly place: Place | null
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

/** Why a folder among the skills is no skill that can be used. */
export type SkillFault =
  | 'folder_name'
  | 'folder_link'
  | 'no_file'
  | 'file_link'
  | 'too_large'
  | 'no_front_matter'
  | 'front_matter_too_long'
  | 'front_matter_unreadable'
  | 'no_name_or_description'
  | 'other_name'
  | 'unreadable'

export interface RefusedSkill {
  /** Name of the folder. */
  readonly name: string
  readonly fault: SkillFault
  /** Path of the folder. */
  readonly folder: string
}

export interface SkillsView {
  readonly skills: readonly SkillView[]
  /** What lies in the operator's folder and cannot be used. */
  readonly refused: readonly RefusedSkill[]
}
