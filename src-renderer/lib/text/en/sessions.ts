export const sessions = {
  label: 'Sessions',
  new: 'New session',
  untitled: 'New session',
  search: 'Search sessions',
  none: 'No session yet. Write below to begin one.',
  noHits: 'Nothing found.',
  fold: 'Fold the list of sessions',
  unfold: 'Show the list of sessions',
  menu: 'Session menu',
  rename: 'Rename',
  exportMarkdown: 'Copy as Markdown',
  saveJson: 'Save as a file…',
  import: 'Import a session from a file',
  review: 'Review this session',
  reviewRequest: (title: string, id: string) =>
    `Review the session “${title}” (${id}) with the skill session-review: was its goal reached, and if not, why?`,
  delete: 'Delete',
  deleteTitle: 'Delete this session',
  deleteBody: (title: string) =>
    `“${title}” and its messages are deleted. What was done on hosts stays in the audit trail.`,
  deleteOpen: 'What waits for your decision in it is denied; what runs on a host runs on.',
  title: 'Title'
}

export const usage = {
  label: 'Use of the model',
  used: (used: string) => `${used} tokens`,
  ofWindow: (used: string, window: string) => `${used} of ${window}`,
  context: 'Context',
  input: 'Tokens in',
  cached: 'of it cached',
  output: 'Tokens out',
  cost: 'Cost',
  size: 'Stored',
  untold: 'not told',
  estimated: 'This service does not count; the context is reckoned from the length of the text.',
  body: 'In and out are summed up over the whole session, the context is that of the newest answer.'
}

export const models = {
  choose: 'Choose the model of this session',
  heading: 'Model of this session',
  usual: 'Default',
  none: 'No model',
  gone: (name: string) => `${name}: not set up`,
  settings: 'Set up models…'
}
