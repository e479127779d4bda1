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
  allow: 'Allow it as it is',
  forbid: 'No longer',
  unsaved: 'Not saved yet'
}
