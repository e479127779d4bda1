import { count } from '../count'

export const chat = {
  conversation: 'Conversation',
  placeholder: 'Say what should happen',
  send: 'Send',
  stop: 'Stop',
  queue: 'Queue',
  queued: 'queued, sent when this turn ends',
  editQueued: 'Edit queued message',
  removeQueued: 'Remove queued message',
  jump: 'Jump to now',
  waits: (n: number) => count(n, 'decision waits', 'decisions wait'),
  ready: 'Ready',
  waiting: 'Waits for your decision',
  thinking: 'Thinking',
  answering: 'Answering',
  modelBusy: (time: string) => `No answer from the model’s service yet; asked again in ${time}`,
  modelBusyNow: 'No answer from the model’s service yet; asking again',
  modelAwaited: 'Waiting for the model’s service',
  modelGone: (time: string) => `The model’s service has failed several times; tried again in ${time}`,
  modelGoneNow: 'The model’s service has failed several times; trying it again',
  held: 'Waits for your word to go on',
  lastFailed: 'The last turn failed',
  hostGone: (host: string, title: string) => `${host} cannot be asked now: ${title}`,
  andMore: (title: string, n: number) => `${title} and ${n} more`,
  noAnswer: 'This turn ended without an answer. Nothing further was run; ask again to go on.',
  continued: 'Continued by itself',
  older: 'Loading older messages',
  start: 'The beginning of this session',
  showLong: (lines: number) => `Show all ${lines} lines`,
  foldLong: 'Fold',
  copyMessage: 'Copy message',
  fork: 'Fork from here',
  resend: 'Edit and send again',
  retry: 'Run again',
  opening: 'Opening the session',
  hello: 'What should happen on your fleet?',
  helloLong: 'Nomos looks, proposes a plan, asks you, carries it out over SSH and checks the result.',
  suggestions: [
    'What is running?',
    'Which guests have updates waiting?',
    'Deploy TypeType as an LXC on strong',
    'Is any storage close to full?'
  ],
  image: (alt: string) => (alt === '' ? 'image, not loaded' : `image, not loaded: ${alt}`)
}

const refusedWords = {
  too_large: 'too large, at most 1,000,000 characters are sent',
  too_many: 'a message takes ten',
  not_text: 'no text in UTF-8',
  empty: 'empty',
  unreadable: 'could not be read'
}

export const attachment = {
  pasted: (n: number) => `Pasted text ${n}`,
  size: (size: string, lines: number) => `${size}, ${count(lines, 'line', 'lines')}`,
  open: (name: string) => `Open ${name}`,
  remove: (name: string) => `Remove ${name}`,
  copy: 'Copy this text',
  toText: 'Turn into text',
  add: 'Attach text files',
  drop: 'Drop text files here to attach them',
  cut: 'The model reads its beginning and its end. All of it stays with the message.',
  refusedSeveral: (n: number) => `${n} files were not attached.`,
  because: (names: readonly string[], more: number, why: keyof typeof refusedWords) =>
    `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${refusedWords[why]}.`,
  refused: {
    too_large: {
      message: (name: string) => `“${name}” is too large to attach: at most 1,000,000 characters are sent.`,
      hint: 'Attach the part that matters, or put it on a host and say where.'
    },
    too_many: {
      message: (name: string) => `“${name}” was not attached: a message takes ten.`,
      hint: 'Send these first, or remove one.'
    },
    not_text: {
      message: (name: string) => `“${name}” is not a text in UTF-8, so it was not attached.`,
      hint: 'Only texts can be read by the agent: logs, configuration, Markdown, source.'
    },
    empty: {
      message: (name: string) => `“${name}” is empty, so it was not attached.`,
      hint: 'Check that it is the file you meant.'
    },
    unreadable: {
      message: (name: string) => `“${name}” could not be read, so it was not attached.`,
      hint: 'Folders cannot be attached. For a file, check its permissions.'
    }
  }
}

export const tools = {
  done: (n: number, time: string) => `${count(n, 'step', 'steps')} in ${time}`,
  failed: (failed: number, total: number, sentence: string) => `${failed} of ${total} failed: ${sentence}`,
  stopped: (done: number, total: number) => `stopped at ${done} of ${total}`,
  more: (sentence: string, n: number) => `${sentence} and ${n} more`,
  next: 'Reading the results',
  label: 'Tool calls',
  input: 'Input',
  output: 'Output',
  noInput: 'Called without input.',
  noOutput: 'No output.',
  pendingOutput: 'The call has not ended yet.',
  lost: 'The app stopped before this call ended; its result is not known.',
  text: 'Text',
  asText: 'As the model saw it',
  asData: 'As data',
  hiddenLines: (n: number) => `${n} lines between`,
  hiddenRows: (n: number) => `${n} more rows`
}

export const diff = {
  change: { added: 'new file', removed: 'removed' },
  counts: (added: number, removed: number) =>
    `${count(added, 'line', 'lines')} added, ${count(removed, 'line', 'lines')} removed`,
  files: (n: number) => count(n, 'file', 'files')
}

export const inspector = {
  label: 'Inspector',
  show: 'Show inspector',
  hide: 'Hide inspector',
  empty: 'Plans and executions of this session appear here.',
  executions: 'Executions'
}
