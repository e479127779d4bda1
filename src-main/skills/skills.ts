import { join } from 'node:path'
import type { SkillView } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import { Audit } from '../store/audit'
import type { Store } from '../store/store'
import type { Skills } from './port'
import { faultOf, folderNames, readSkill } from './read-skill'

export interface SkillsOptions {
  /** Folder of the skills that come with the app. */
  readonly shipped: string
  /** The operator's own folder, whose skill of the same name wins. */
  readonly own: string
  readonly store: Store
}

/**
 * Skills of the shipped folder and of the operator's own. A skill is text for the model: it can never add permissions.
 * Other programs may write into the operator's folder, so what lies there is read by the agent only as the operator
 * has allowed it; a file that was edited since waits again.
 */
export function createSkills({ shipped, own, store }: SkillsOptions): Skills {
  const audit = new Audit(store.db, store.clock)

  const allowedHash = (name: string): string | null =>
    store.db
      .prepare<[string], string>('SELECT hash FROM skill_allowances WHERE name = ?')
      .pluck()
      .get(name) ?? null

  const stateOf = (name: string, hash: string): SkillView['state'] => {
    const allowed = allowedHash(name)
    if (allowed === null) return 'new'
    return allowed === hash ? 'allowed' : 'changed'
  }

  const find = (name: string): Result<SkillView> => {
    const mine = readSkill(own, name)
    if (mine.ok) return ok({ ...mine.value, origin: 'operator', state: stateOf(name, mine.value.hash) })
    // A folder without the file stands in for nothing.
    if (mine.error.data?.['fault'] !== undefined && mine.error.data['fault'] !== 'no_file') return mine
    const ours = readSkill(shipped, name)
    return ours.ok ? ok({ ...ours.value, origin: 'shipped', state: 'allowed' }) : mine
  }

  return {
    list() {
      const names = new Set([...folderNames(shipped), ...folderNames(own)])
      return [...names].sort().flatMap((name) => {
        const skill = find(name)
        return skill.ok ? [skill.value] : []
      })
    },

    refused: () =>
      folderNames(own)
        .sort()
        .flatMap((name) => {
          const fault = faultOf(own, name)
          return fault === null ? [] : [{ name, fault, folder: join(own, name) }]
        }),

    load(name) {
      const skill = find(name)
      return skill.ok && skill.value.state !== 'allowed' ? waits(skill.value) : skill
    },

    allow(name, hash, allowed) {
      const shown = find(name)
      if (!shown.ok) return shown
      if (shown.value.origin === 'shipped')
        return fail('skill_not_found', `You have no skill "${name}" of your own.`, undefined, { name })
      if (shown.value.hash !== hash)
        return fail(
          'skill_changed',
          `The skill "${name}" is not what was shown any more. Nothing was changed.`,
          'Read it again.',
          { name }
        )
      return store.transact((tx) => {
        store.db.prepare('DELETE FROM skill_allowances WHERE name = ?').run(name)
        if (allowed)
          store.db
            .prepare('INSERT INTO skill_allowances (name, hash, at) VALUES (?, ?, ?)')
            .run(name, hash, store.clock.now())
        audit.append(allowed ? 'skill.allowed' : 'skill.forbidden', name, null, { hash })
        const skill: SkillView = { ...shown.value, state: stateOf(name, hash) }
        tx.emit({ type: 'skill.changed', skill })
        return ok(skill)
      })
    }
  }
}

const waits = ({ name, state }: SkillView) =>
  fail(
    'skill_waits',
    state === 'changed'
      ? `The operator's skill "${name}" was edited since it was allowed, so it waits for the operator.`
      : `The operator's skill "${name}" waits until the operator allows it.`,
    'Tell the operator that it can be read and allowed under Knowledge, Skills; go on without it.',
    { name }
  )
