import type { SkillFault } from '@contract'
import { count } from '../count'

export const knowledge = {
  title: 'Knowledge',
  search: 'Search all that is known',
  documents: 'Notes and runbooks',
  skills: 'Skills',
  newNote: 'New note',
  noteTitle: 'Title',
  noteBody: 'What is worth knowing, in Markdown',
  none: 'Notes, runbooks and what was done before will be found here. The agent reads them too.',
  noHits: 'Nothing found for this search.',
  hits: (n: number) => count(n, 'result', 'results'),
  pick: 'Pick something on the left to read it.',
  noSkills: 'No skill is installed.',
  deleteTitle: 'Delete this note',
  deleteBody: (title: string) => `“${title}” is deleted for good.`,
  delete: 'Delete note',
  sources: { note: 'note', file: 'file', execution: 'execution', session: 'session', skill: 'skill' },
  origins: { shipped: 'comes with Nomos', operator: 'yours' },
  waits: 'Not allowed yet',
  allowed: 'The agent may read this skill as it stands here.',
  waitsWhy: {
    new: 'The agent does not read this skill until you allow it. Read it first: the agent will follow it.',
    changed:
      'This skill was edited since you allowed it. Read it again: until you allow it, the agent does without.'
  },
  refused: 'Cannot be used',
  refusedWhy: {
    folder_name:
      'Its folder has no name that a skill can have: small letters, digits and single hyphens, at most 64. Rename it, and the name in SKILL.md with it.',
    folder_link: 'Its folder is a link, and links are not followed. Copy the folder itself to this place.',
    no_file: 'There is no SKILL.md in it. Write one, or move the folder elsewhere.',
    file_link: 'SKILL.md is a link or no plain file, and links are not followed. Copy the file itself here.',
    too_large: 'SKILL.md is larger than 256 KB. Shorten it; what is only looked up may stand in notes.',
    no_front_matter:
      'SKILL.md does not begin with front matter: a line ---, name and description, a line ---.',
    front_matter_too_long: 'The front matter is longer than 8 KB. Move what is long below it.',
    front_matter_unreadable:
      'The front matter is not YAML that can be read. Put texts with a colon in quotes; aliases are not taken.',
    no_name_or_description:
      'The front matter needs a name and a description of at most 1,024 characters, both as text.',
    other_name: 'The name in the front matter is not that of the folder. Make the two the same.',
    unreadable: 'SKILL.md cannot be read. Check the permissions of the file.'
  } satisfies Record<SkillFault, string>,
  refusedNote: 'Until then the agent does without it.',
  allow: 'Allow it as it is',
  forbid: 'No longer',
  unsaved: 'Not saved yet'
}
