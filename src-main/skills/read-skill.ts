import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { SkillFault } from '../../src-preload/contract'
import { sha256 } from '../base/canonical'
import { fail, ok, type AppError, type Result } from '../base/result'

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
  const notThere = () => fail('skill_not_found', `There is no skill "${name}".`, undefined, { name })
  if (!validName.test(name) || name.length > 64) return notThere()
  const link = lstatSync(join(folder, name), { throwIfNoEntry: false })
  if (!link) return notThere()
  if (!link.isDirectory()) return invalid(name, link.isSymbolicLink() ? 'folder_link' : 'no_file')
  const read = readPlainFile(join(folder, name, 'SKILL.md'))
  return 'fault' in read ? invalid(name, read.fault) : parseSkill(name, read.text)
}

/** Why what lies under a name in a folder is no skill; null when it is one. */
export function faultOf(folder: string, name: string): SkillFault | null {
  if (!validName.test(name) || name.length > 64) return 'folder_name'
  const skill = readSkill(folder, name)
  return skill.ok ? null : (faultIn(skill.error) ?? 'no_file')
}

const faultIn = ({ data }: AppError): SkillFault | undefined => data?.['fault'] as SkillFault | undefined

/** The text of a file that is one: what is looked at and what is read are the same open file, whatever replaces it. */
function readPlainFile(path: string): { readonly text: string } | { readonly fault: SkillFault } {
  const info = lstatSync(path, { throwIfNoEntry: false })
  if (!info) return { fault: 'no_file' }
  if (!info.isFile()) return { fault: 'file_link' }
  try {
    const file = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
    )
    try {
      if (!fstatSync(file).isFile()) return { fault: 'file_link' }
      const bytes = Buffer.alloc(maxBytes + 1)
      let length = 0
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null)
      return length > maxBytes ? { fault: 'too_large' } : { text: bytes.toString('utf8', 0, length) }
    } finally {
      closeSync(file)
    }
  } catch {
    return { fault: 'unreadable' }
  }
}

/** Names of the folders in a folder, and of links, which are none; hidden ones are nobody's skill. */
export function folderNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

function parseSkill(name: string, text: string): Result<SkillFile> {
  const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? []
  if (head === undefined || body === undefined) return invalid(name, 'no_front_matter')
  if (head.length > maxFrontMatter) return invalid(name, 'front_matter_too_long')
  const yaml = yamlOf(head)
  if (yaml === undefined) return invalid(name, 'front_matter_unreadable')
  const fields = frontMatter.safeParse(yaml)
  if (!fields.success) return invalid(name, 'no_name_or_description')
  if (fields.data.name !== name) return invalid(name, 'other_name')
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

const faults: Readonly<Record<SkillFault, string>> = {
  folder_name: 'the name of its folder is no name of a skill',
  folder_link: 'its folder is a link',
  no_file: 'it has no SKILL.md',
  file_link: 'SKILL.md is not a plain file',
  too_large: 'SKILL.md is larger than 256 KB',
  no_front_matter: 'SKILL.md has no front matter',
  front_matter_too_long: 'its front matter is longer than 8 KB',
  front_matter_unreadable: 'its front matter is no YAML',
  no_name_or_description: 'its front matter needs a name and a description',
  other_name: 'the name in its front matter is not that of its folder',
  unreadable: 'SKILL.md cannot be read'
}

const invalid = (name: string, fault: SkillFault) =>
  fail(
    'skill_invalid',
    `The skill "${name}" cannot be used: ${faults[fault]}.`,
    'The operator sees under Knowledge, Skills what to do.',
    { name, fault }
  )
