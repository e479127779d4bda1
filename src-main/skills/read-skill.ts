import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { sha256 } from '../base/canonical'
import { fail, messageOf, ok, type Result } from '../base/result'

/** What stands in a `SKILL.md`, with the SHA-256 of the whole of it. */
export interface SkillFile {
  readonly name: string
  readonly description: string
  readonly body: string
  readonly hash: string
}

/** The Agent Skills convention: front matter with a name that is the folder's, and a description. */
const frontMatter = z.object({
  name: z.string().max(64),
  description: z.string().min(1).max(1024)
})

const validName = /^[a-z0-9]+(-[a-z0-9]+)*$/
const maxBytes = 256 * 1024
const maxFrontMatter = 8 * 1024

/** Reads one skill of a folder. Links and files over 256 KB are refused. Errors: `skill_not_found`, `skill_invalid`. */
export function readSkill(folder: string, name: string): Result<SkillFile> {
  if (!validName.test(name) || name.length > 64)
    return fail('skill_not_found', `There is no skill "${name}".`)
  try {
    const path = join(folder, name, 'SKILL.md')
    if (!lstatSync(join(folder, name)).isDirectory()) return invalid(name, 'it is not a folder')
    const info = lstatSync(path)
    if (!info.isFile()) return invalid(name, 'SKILL.md is not a plain file')
    if (info.size > maxBytes) return invalid(name, 'SKILL.md is larger than 256 KB')
    return parseSkill(name, readFileSync(path, 'utf8'))
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return gone ? fail('skill_not_found', `There is no skill "${name}".`) : invalid(name, messageOf(error))
  }
}

/** Names of the folders in a folder; links are none. */
export function skillNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

function parseSkill(name: string, text: string): Result<SkillFile> {
  const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? []
  if (head === undefined || body === undefined) return invalid(name, 'SKILL.md has no front matter')
  if (head.length > maxFrontMatter) return invalid(name, 'its front matter is longer than 8 KB')
  const fields = frontMatter.safeParse(yamlOf(head))
  if (!fields.success) return invalid(name, 'its front matter needs a name and a description')
  if (fields.data.name !== name)
    return invalid(name, 'the name in its front matter is not that of its folder')
  return ok({ name, description: fields.data.description, body: body.trim(), hash: sha256(text) })
}

/** Undefined for what is no YAML; the parser's own words would quote a file that nobody has allowed yet. */
function yamlOf(text: string): unknown {
  try {
    // No aliases: a small file must not unfold into a large structure.
    return parse(text, { maxAliasCount: 0, logLevel: 'silent' }) as unknown
  } catch {
    return undefined
  }
}

const invalid = (name: string, why: string) =>
  fail('skill_invalid', `The skill "${name}" cannot be used: ${why}.`)
