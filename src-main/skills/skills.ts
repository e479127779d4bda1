import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { SkillView } from '../../src-preload/contract'
import type { Logger } from '../base/log'
import { fail, messageOf, ok, type Result } from '../base/result'
import type { Skills } from './port'

/** The Agent Skills convention: front matter with a name that is the folder's, and a description. */
const frontMatter = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(64),
  description: z.string().min(1).max(1024)
})

const maxBytes = 256 * 1024

/**
 * Reads skills from the shipped folder and the operator's own (whose skill of the same name wins).
 * A skill is text for the model: it can never add permissions. Links and files over 256 KB are refused.
 */
export function createSkills(shipped: string, own: string, log: Logger): Skills {
  const read = (folder: string, name: string, origin: SkillView['origin']): Result<SkillView> => {
    if (!/^[a-z0-9-]{1,64}$/.test(name)) return fail('skill_not_found', `There is no skill "${name}".`)
    try {
      const path = join(folder, name, 'SKILL.md')
      if (!lstatSync(join(folder, name)).isDirectory()) return invalid(name, 'it is not a folder')
      const info = lstatSync(path)
      if (!info.isFile()) return invalid(name, 'SKILL.md is not a plain file')
      if (info.size > maxBytes) return invalid(name, 'SKILL.md is larger than 256 KB')
      return parseSkill(name, readFileSync(path, 'utf8'), origin)
    } catch (error) {
      const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      return gone ? fail('skill_not_found', `There is no skill "${name}".`) : invalid(name, messageOf(error))
    }
  }

  const load = (name: string): Result<SkillView> => {
    const mine = read(own, name, 'operator')
    return mine.ok || mine.error.code === 'skill_invalid' ? mine : read(shipped, name, 'shipped')
  }

  return {
    load,
    list() {
      const names = new Set([...folderNames(shipped), ...folderNames(own)])
      return [...names].sort().flatMap((name) => {
        const skill = load(name)
        if (!skill.ok) log.log('warn', 'skills', skill.error.message)
        return skill.ok ? [skill.value] : []
      })
    }
  }
}

function parseSkill(name: string, text: string, origin: SkillView['origin']): Result<SkillView> {
  const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? []
  if (head === undefined || body === undefined) return invalid(name, 'SKILL.md has no front matter')
  // No aliases: a small file must not unfold into a large structure.
  const fields = frontMatter.safeParse(parse(head, { maxAliasCount: 0 }))
  if (!fields.success) return invalid(name, 'its front matter needs a name and a description')
  if (fields.data.name !== name)
    return invalid(name, `its name says "${fields.data.name}", its folder "${name}"`)
  return ok({ name, description: fields.data.description, origin, body: body.trim() })
}

const invalid = (name: string, why: string) =>
  fail('skill_invalid', `The skill "${name}" cannot be used: ${why}.`)

function folderNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  } catch {
    return []
  }
}
