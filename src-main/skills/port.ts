import type { RefusedSkill, SkillView } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** Folders with a `SKILL.md`: the shipped ones and the operator's own. */
export interface Skills {
  /** All that can be read, also those that wait for the operator. */
  list(): readonly SkillView[]
  /** What lies in the operator's folder and is no skill, with why. */
  refused(): readonly RefusedSkill[]
  /** For the agent. Errors: `skill_not_found`, `skill_invalid`, `skill_waits`. */
  load(name: string): Result<SkillView>
  /**
   * The operator allows their own skill as it was shown, or no longer. Errors: `skill_not_found`, `skill_invalid`,
   * `skill_changed`.
   */
  allow(name: string, hash: string, allowed: boolean): Result<SkillView>
}
