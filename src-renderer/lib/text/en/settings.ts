import type { ModelCheckStep } from '@contract'

const modelStep: Record<ModelCheckStep['name'], string> = {
  text: 'Answers with text',
  tool: 'Calls a tool',
  parallel_tools: 'Calls several tools at once',
  tool_without_arguments: 'Calls a tool without arguments',
  long_prompt: 'Reads long prompts whole',
  cancel: 'Stops when told to',
  address: 'Is spoken to in private'
}

export const settings = {
  title: 'Settings',
  sections: {
    model: 'Model',
    hosts: 'Hosts',
    policies: 'Policies',
    secrets: 'Secrets',
    appearance: 'Appearance',
    notifications: 'Notifications',
    mcp: 'MCP servers',
    keyboard: 'Keyboard',
    data: 'Data',
    lab: 'Lab',
    about: 'About'
  },
  problems: (n: number) =>
    n === 1 ? 'A problem with the configuration file' : `${n} problems with the configuration file`,
  showProblems: 'Show',
  file: 'Configuration file',
  saved: 'Saved',
  save: 'Save',
  model: {
    provider: 'Provider',
    custom: 'Other, compatible with OpenAI',
    address: 'Address',
    name: 'Model',
    nameHint: 'As the provider calls it',
    key: 'API key',
    keyStored: (name: string) => `Stored as ${name}; it is never shown.`,
    keyNone: 'None stored.',
    keyHint: 'Paste to set or to replace it',
    keyEnv: (name: string) => `Read from the environment as ${name}.`,
    context: 'Tokens it can read at once',
    check: 'Check',
    checking: 'Checking',
    inUse: (name: string) => `In use: ${name}`,
    noneInUse: 'No model is set up.',
    unencrypted:
      'Everything that is said, and the key, would go to this address unencrypted, over networks that are not yours. With a key nothing is sent; use https.',
    steps: modelStep,
    saveFirst: 'Save first, then check.',
    begin: 'Begin a conversation',
    all: 'Models',
    add: 'Add a model',
    unnamed: 'New model',
    usualBody: 'Sessions use this one unless they choose another.',
    furtherBody: 'A session can choose it at its head.',
    ownName: 'Name',
    ownNameHint: 'As the choice in the chat calls it'
  },
  policies: {
    body: 'The first rule that fits decides. Destructive actions always ask, whatever a rule says.',
    defaults: 'Where no rule fits',
    examples: {
      read_only: 'State, lists, logs',
      service_action: 'Restart, start, shut down',
      config_mutation: 'Create, change, upgrade, take a snapshot',
      destructive: 'Destroy, roll back, stop at once'
    },
    byDefault: {
      read_only: 'runs',
      service_action: 'asks, unless the assent window covers it',
      config_mutation: 'asks, unless the assent window covers it',
      destructive: 'always asks, one by one'
    },
    none: 'No rule of yours yet.',
    add: 'Add rule',
    risk: 'Risk',
    host: 'Host',
    target: 'Target',
    decision: 'Decision',
    any: 'any',
    decisions: { ask: 'ask', allow: 'run without asking', deny: 'refuse' },
    window: 'Assent window, minutes',
    expiry: 'Approvals expire after, minutes'
  },
  secrets: {
    keychain: 'Kept in the keychain of your system.',
    memory: 'Kept for this run only; they are asked for again after a restart.',
    tryAgain: 'Try the keychain again',
    trying: 'Asking the keychain',
    works: 'The keychain works now. What was kept for this run is kept there.',
    none: 'Nothing is stored.',
    usedBy: (who: string) => `Used by ${who}`,
    unused: 'Not used at the moment',
    uses: {
      model: 'the model',
      host: (name: string) => `host ${name}`,
      server: (name: string) => `MCP server ${name}`
    },
    test: 'Test',
    tested: {
      key: (fingerprint: string) => `Can be read: a private key, ${fingerprint}`,
      locked_key: 'Can be read: a private key with a passphrase',
      text: 'Can be read'
    },
    testLabel: (name: string) => `Test ${name}`,
    replaceLabel: (name: string) => `Replace ${name}`,
    replace: 'Replace',
    value: 'New value',
    deleteTitle: (name: string) => `Delete ${name}`,
    deleteBody: 'What uses it stops working until it is set again.'
  },
  appearance: {
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    language: 'Language',
    systemLanguage: 'System',
    nativeDialog: 'Ask for approval in a system dialog while the window is not in front',
    closeToTray: 'Keep running in the tray when the window is closed while something runs or waits',
    badge: 'Show how many decisions wait on the app’s icon and in the window’s title',
    startup: 'Start',
    atLogin: 'Start Nomos when I log in',
    hidden: 'Start in the tray, without the window'
  },
  notifications: {
    body: 'Shown while you look elsewhere; several at once are one. A click leads to the place.',
    kinds: {
      approvals: 'When something needs your approval',
      needsYou: 'When the agent stopped and needs you to go on',
      failures: 'When an execution failed, ran out of time or was lost',
      executions: 'When an execution has finished',
      signals: 'When something on the fleet needs attention'
    },
    noButtons:
      'On Linux they have no buttons. To decide without this window, use the tray, or the system dialog under Appearance.',
    dialog: 'Approvals are asked for in a dialog of the system, so no notification repeats them.'
  },
  data: {
    body: 'A checked copy of the database is made every day; seven are kept. Secrets are not in it.',
    none: 'No backup yet.',
    backUp: 'Back up now',
    made: 'Backed up.',
    restore: 'Restore',
    restoreTitle: (name: string) => `Restore ${name}`,
    restoreBody:
      'The backup is checked, and Nomos starts again with it. What is there now is kept among the backups. What waited or ran when it was made is closed.',
    restoreDo: 'Restore and restart',
    showBackups: 'Open backups folder',
    help: 'Finding a fault',
    helpBody: 'Versions, settings, counts and the end of the log in one file, without secrets.',
    diagnostics: 'Save diagnostics',
    logs: 'Open logs folder'
  },
  lab: {
    body: 'A simulated cluster of two nodes and a scripted model, served by this app on this machine only.',
    running: 'The lab runs. Its hosts and its model stand in for real ones.',
    start: 'Start the lab',
    stop: 'Stop the lab'
  },
  mcp: {
    body: 'Tools of other MCP servers. Each server is confirmed once, each tool is off until you allow it.',
    none: 'No external server is set up.',
    add: 'Add server',
    name: 'Name, in small letters',
    reached: 'How it is reached',
    kinds: { command: 'Program', url: 'Address' },
    command: 'Program and arguments',
    commandHint: 'One a line: the program first, then each argument. Nothing is run before you confirm it.',
    env: 'Variables',
    envHint: 'One a line, NAME=value. A value such as keychain:NAME is that secret.',
    url: 'Address',
    token: 'Token',
    tokenHint: 'Kept in the keychain; leave empty if it needs none.',
    states: {
      unconfirmed: 'not confirmed',
      connecting: 'connecting',
      connected: 'connected',
      waiting: 'broke off, tried again',
      failed: 'failed'
    },
    confirmCommand: 'This program would be started on this machine, exactly so, with your rights.',
    confirmUrl: 'This address would be connected to, exactly so.',
    start: 'Start this program',
    connect: 'Connect to it',
    reconnect: 'Try again',
    changed: 'Its definition has changed since you allowed it, so it is off.',
    was: 'You allowed:',
    unusable: (why: string) => `Cannot be used: ${why}`,
    removeTitle: (name: string) => `Remove ${name}`,
    removeBody: 'Its tools are gone for the agent at once.'
  },
  keyboard: {
    body: 'Choose a shortcut and press the new keys. The menu of the window shows the same.',
    palette: 'Open the commands',
    preferences: 'Open the settings',
    page: (name: string) => `Go to ${name}`,
    none: 'none',
    press: 'Press keys',
    how: 'Esc keeps the old keys, Backspace leaves it without.',
    change: (label: string, keys: string) => `${label}: ${keys}. Change the keys`,
    recording: (label: string) => `${label}: press the new keys`,
    reset: (label: string, keys: string) => `${label}: back to ${keys}`,
    resetAll: 'Reset all',
    used: (keys: string, label: string) => `${keys} already belongs to “${label}”.`,
    take: 'Use it here',
    keep: 'Leave it',
    faults: {
      unknown: (keys: string) => `${keys} cannot be a shortcut. Use a letter, a digit or a function key.`,
      plain: (keys: string) => `${keys} alone is for writing. Hold Ctrl, Command or Alt with it.`,
      taken: (keys: string) => `${keys} is used by the system or for editing text.`
    },
    fixed: 'Always the same',
    send: 'Send the message',
    newLine: 'New line in the message',
    escape: 'Close what is open, leave a field',
    zoom: 'Zoom in, out, actual size',
    close: 'Close the window',
    quit: 'Quit Nomos'
  },
  about: { version: (version: string) => `Version ${version}`, logs: 'Show logs' }
}
