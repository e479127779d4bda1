import type { SkillView } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** Folders with a `SKILL.md`: the shipped ones and the operator's own. */
export interface Skills {
  list(): readonly SkillView[]
  /** Errors: `skill_not_found`, `skill_invalid`. */
  load(name: string): Result<SkillView>
}
