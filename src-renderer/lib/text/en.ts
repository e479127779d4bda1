import type {
  ApprovalRoute,
  ExecutionState,
  GuestView,
  HostConnection,
  HostTestStep,
  ModelCheckStep,
  NoticeOffer,
  Origin,
  RiskClass,
  SessionState,
  ToolCallState
} from '@contract'

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

const executionState: Record<ExecutionState, string> = {
  awaiting_approval: 'needs approval',
  approved: 'approved',
  starting: 'starting',
  running: 'running',
  unknown: 'not known',
  succeeded: 'done',
  failed: 'failed',
  timed_out: 'timed out',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  lost: 'lost',
  denied: 'denied',
  expired: 'expired'
}
const sessionState: Record<SessionState, string> = {
  idle: 'idle',
  running: 'working',
  waiting: 'needs you',
  failed: 'failed'
}
const risk: Record<RiskClass, string> = {
  read_only: 'reads only',
  service_action: 'acts on a service',
  config_mutation: 'changes configuration',
  destructive: 'cannot be undone'
}
const origin: Record<Origin, string> = {
  agent: 'agent',
  operator: 'you',
  signal: 'signal',
  mcp: 'MCP client'
}
const callState: Record<ToolCallState, string> = {
  pending: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted'
}
const connection: Record<HostConnection, string> = {
  unknown: 'not asked yet',
  connecting: 'connecting',
  reachable: 'reachable',
  unreachable: 'unreachable',
  blocked: 'key not trusted'
}
const guestState: Record<GuestView['status'], string> = {
  running: 'running',
  stopped: 'stopped',
  unknown: 'not known'
}
const route: Record<ApprovalRoute | 'window' | 'policy' | 'plan', string> = {
  chat: 'by you in the chat',
  chat_assent: 'by your message',
  ops: 'by you in Ops',
  notification: 'by you from a notification',
  dialog: 'by you in the dialog',
  tray: 'by you from the tray',
  matrix: 'by you over Matrix',
  window: 'by the assent window',
  policy: 'by a policy',
  plan: 'with its plan'
}
const offer: Record<NoticeOffer, string> = {
  retry: 'Try again',
  continue: 'Go on',
  settings: 'Open settings'
}
const testStep: Record<HostTestStep['step'], string> = {
  key: 'Key',
  connect: 'Connect',
  host_key: 'Host key',
  login: 'Log in',
  proxmox: 'Proxmox VE'
}
const modelStep: Record<ModelCheckStep['name'], string> = {
  text: 'Answers with text',
  tool: 'Calls a tool',
  parallel_tools: 'Calls several tools at once',
  tool_without_arguments: 'Calls a tool without arguments',
  cancel: 'Stops when told to'
}

export const en = {
  app: {
    loading: 'Starting',
    failed: 'Nomos could not start',
    retry: 'Try again',
    logs: 'Show logs'
  },
  nav: {
    label: 'Pages',
    chat: 'Chat',
    ops: 'Ops',
    fleet: 'Fleet',
    knowledge: 'Knowledge',
    settings: 'Settings',
    waiting: (n: number) => count(n, 'decision waits', 'decisions wait')
  },
  common: {
    cancel: 'Cancel',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    remove: 'Remove',
    save: 'Save',
    edit: 'Edit',
    refresh: 'Refresh',
    showAll: 'Show all',
    loading: 'Loading',
    tryAgain: 'Try again',
    dismiss: 'Dismiss',
    noAnswer: 'The app gave no answer to this request. Nothing was changed by it.'
  },
  state: {
    execution: executionState,
    session: sessionState,
    call: callState,
    connection,
    guest: guestState
  },
  risk,
  origin,
  /** Keys as they are written on keyboards. */
  keys: { Mod: 'Ctrl', Alt: 'Alt', Shift: 'Shift', Enter: 'Enter' },
  day: { today: 'Today', yesterday: 'Yesterday' },
  sessions: {
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
    exportJson: 'Copy as JSON',
    delete: 'Delete',
    deleteTitle: 'Delete this session',
    deleteBody: (title: string) =>
      `“${title}” and its messages are deleted. What was done on hosts stays in the audit trail.`,
    title: 'Title'
  },
  chat: {
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
    modelBusy: (time: string) => `The model’s service is busy; asked again in ${time}`,
    modelBusyNow: 'The model’s service is busy; asking again',
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
  },
  first: {
    title: 'Welcome to Nomos',
    body: 'Operate Proxmox VE from a conversation. You approve, it carries out, and you see each result.',
    lab: 'Explore the lab',
    labBody: 'A simulated cluster of two nodes and a scripted model. Nothing to set up, nothing to break.',
    labStarting: 'Starting the lab',
    node: 'Add my first node',
    nodeBody: 'Address, user and key of a Proxmox VE node. The connection is tested step by step.',
    model: 'Connect a model',
    modelBody: 'OpenRouter, OpenAI, Anthropic, or one on your own machine.',
    nodeDone: (n: number) => count(n, 'node added', 'nodes added'),
    modelDone: (name: string) => `${name} is set up`
  },
  attachment: {
    pasted: (n: number) => `Pasted text ${n}`,
    size: (size: string, lines: number) => `${size}, ${count(lines, 'line', 'lines')}`,
    open: (name: string) => `Open ${name}`,
    remove: (name: string) => `Remove ${name}`,
    copy: 'Copy this text',
    toText: 'Turn into text',
    add: 'Attach text files',
    drop: 'Drop text files here to attach them',
    cut: 'The model reads its beginning and its end. All of it stays with the message.',
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
  },
  tools: {
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
  },
  diff: {
    change: { added: 'new file', removed: 'removed' },
    counts: (added: number, removed: number) =>
      `${count(added, 'line', 'lines')} added, ${count(removed, 'line', 'lines')} removed`,
    files: (n: number) => count(n, 'file', 'files')
  },
  plan: {
    label: 'Plan',
    run: (n: number) => (n === 1 ? 'Run this step' : `Run all ${n} steps`),
    destructive: 'Asks again before it runs',
    progress: (done: number, total: number) => `${done} of ${total} done`,
    undo: 'Undo',
    missing: 'This plan is being loaded.'
  },
  approval: {
    label: 'Approval',
    why: 'Why, in the agent’s words',
    undo: 'What undoes it',
    touches: 'Touches',
    rule: 'Asked by rule',
    host: 'Host',
    deny: 'Deny',
    reason: 'Reason for denying, optional',
    moreWays: 'More ways to approve',
    allow30: 'Allow exactly this for 30 minutes',
    confirm: (name: string) => `Type ${name} to confirm`,
    scroll: 'Scroll to the end of the commands to approve',
    expiresIn: (time: string) => `Expires in ${time}`,
    commands: 'Commands, exactly as they run',
    noCommands: 'No command is run.',
    decided: {
      awaiting_approval: 'waiting',
      approved: 'approved',
      denied: 'denied',
      expired: 'expired, nothing was run'
    },
    route,
    reasonGiven: (reason: string) => `“${reason}”`,
    hidden: 'A character that cannot be seen',
    foreign: 'A character outside ASCII that may look like another',
    loading: 'Loading what is to be decided',
    /** What the primary button says, by action. */
    verb: {
      pct_create: 'Create container',
      pct_start: 'Start container',
      pct_shutdown: 'Shut down container',
      pct_stop: 'Stop container',
      pct_reboot: 'Reboot container',
      pct_set: 'Change container',
      pct_resize: 'Resize disk',
      pct_snapshot: 'Take snapshot',
      pct_rollback: 'Roll back',
      pct_delsnapshot: 'Delete snapshot',
      pct_clone: 'Clone container',
      pct_destroy: 'Destroy container',
      pct_push: 'Push file',
      pct_pull: 'Pull file',
      pct_exec: 'Run in container',
      template_download: 'Download template',
      vm_start: 'Start VM',
      vm_shutdown: 'Shut down VM',
      vm_stop: 'Stop VM',
      vm_reboot: 'Reboot VM',
      vm_snapshot: 'Take snapshot',
      apt_upgrade: 'Upgrade packages',
      systemctl: 'Run systemctl',
      restart: 'Restart',
      run: 'Run command'
    } as Readonly<Record<string, string>>,
    /** The same for what is done to a service. */
    unitVerb: {
      start: 'Start service',
      stop: 'Stop service',
      restart: 'Restart service',
      reload: 'Reload service',
      enable: 'Enable service',
      disable: 'Disable service'
    } as Readonly<Record<string, string>>,
    verbElse: 'Approve'
  },
  assent: {
    label: 'Assent window',
    body: 'Results continue by themselves, and requests within scope run without asking.',
    short: 'Goes on by itself',
    end: 'End',
    continuations: (n: number) => count(n, 'continuation', 'continuations')
  },
  inspector: {
    label: 'Inspector',
    show: 'Show inspector',
    hide: 'Hide inspector',
    empty: 'Plans and executions of this session appear here.',
    executions: 'Executions'
  },
  execution: {
    output: 'Output',
    noOutput: 'No output yet.',
    noOutputEver: 'It wrote no output.',
    earlier: (n: number) => `${n} earlier lines`,
    loadEarlier: 'Show from the beginning',
    cancel: 'Cancel execution',
    cancelAsk: 'Cancel now',
    rerun: 'Run again',
    show: 'Show execution',
    inChat: 'Show in chat',
    verified: 'Verified',
    notVerified: 'Not verified',
    exit: (code: number) => `exit ${code}`,
    commands: 'Commands',
    unknownBody: 'The host cannot be asked at the moment. It is watched on; nothing is run again.',
    waits: 'Waits for your decision'
  },
  ops: {
    title: 'Ops',
    waiting: 'Waits for you',
    active: 'Running',
    history: 'History',
    executions: 'Executions',
    audit: 'Audit trail',
    noneWaiting: 'Nothing waits for you.',
    noneActive: 'Nothing runs at the moment.',
    noneHistory: 'What was run on your hosts will be listed here, with its output.',
    noneFound: 'No execution fits this filter.',
    search: 'Search by target, action or host',
    filters: { all: 'All', succeeded: 'Done', failed: 'Failed' },
    filter: 'Filter by state',
    more: 'Show older',
    total: (n: number) => count(n, 'execution', 'executions'),
    clear: 'Clear the filter'
  },
  audit: {
    verify: 'Verify chain',
    exportJson: 'Copy as JSON',
    exportCsv: 'Copy as CSV',
    none: 'Each decision and each execution leaves an entry here.',
    intact: (n: number) => `All ${n} entries fit the chain.`,
    broken: (seq: number) => `Entry ${seq} does not fit the chain: it or one before it was changed.`,
    columns: { seq: 'No.', at: 'When', kind: 'What', subject: 'Subject', route: 'Route', data: 'Data' },
    copied: 'The audit trail is on the clipboard.'
  },
  fleet: {
    title: 'Fleet',
    hosts: 'Hosts',
    guests: 'Guests',
    storages: 'Storages',
    add: 'Add host',
    refreshed: (time: string) => `as of ${time}`,
    never: 'not read yet',
    filter: 'Name, VMID, node or tag',
    all: 'All',
    running: 'Running',
    stopped: 'Stopped',
    kind: 'Filter by state',
    noneHosts: 'Your Proxmox VE nodes will be listed here.',
    noneGuests: 'No container or VM on the hosts that can be reached.',
    noneFound: 'No guest fits this filter.',
    columns: {
      vmid: 'VMID',
      name: 'Name',
      state: 'State',
      node: 'Node',
      cpu: 'CPU',
      memory: 'Memory',
      disk: 'Disk',
      uptime: 'Uptime'
    },
    sortBy: (column: string) => `Sort by ${column}`,
    lock: (name: string) => `locked: ${name}`,
    template: 'template',
    kinds: { lxc: 'container', vm: 'VM' },
    of: (used: string, total: string) => `${used} of ${total}`,
    cores: (n: number) => count(n, 'core', 'cores'),
    actions: 'Actions',
    recent: 'Recent executions',
    noRecent: 'Nothing was run on it from here.',
    noActions: 'No action is offered for it.',
    askAgent: 'Ask the agent about it',
    question: (target: string) => `What is the state of ${target}?`,
    request: 'Request',
    why: 'Why, optional',
    requested: 'Requested',
    removeHost: 'Remove host',
    removeTitle: (name: string) => `Remove ${name}`,
    removeBody: 'Nomos forgets how to reach it. Nothing on the host is changed.',
    version: 'Version',
    address: 'Address',
    key: 'Host key',
    seen: 'Seen',
    tags: 'Tags',
    cluster: 'Cluster',
    more: (n: number) => `Show ${n} more`
  },
  host: {
    addTitle: 'Add a host',
    name: 'Name',
    nameHint: 'How you call it in the chat, such as strong',
    address: 'Address',
    addressHint: 'Host name or IP address',
    port: 'Port',
    user: 'User',
    sudo: 'Run commands through sudo',
    identity: 'Key',
    identities: { keyFile: 'Key file', paste: 'Paste a key', generate: 'Generate a key', agent: 'SSH agent' },
    keyFile: 'Path of the private key',
    keyFileHint: 'Such as ~/.ssh/id_ed25519',
    privateKey: 'Private key',
    privateKeyHint: 'Starts with -----BEGIN OPENSSH PRIVATE KEY-----',
    passphrase: 'Passphrase, if it has one',
    generateBody: 'A new Ed25519 key is made and kept in the keychain.',
    generateDo: 'Generate',
    publicKey: 'Add this line to authorized_keys of the user on the host:',
    importDo: 'Keep the key',
    keyKept: (name: string) => `Kept as ${name}.`,
    agentBody: 'Keys that your SSH agent offers are tried.',
    test: 'Test connection',
    testing: 'Testing',
    add: 'Add host',
    steps: testStep,
    trustTitle: (host: string) => `Is this the key of ${host}?`,
    trustBody: 'Compare it with what this prints on the console of the host:',
    trustCommand: 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub',
    trust: 'Trust this key',
    changedTitle: (host: string) => `The key of ${host} has changed`,
    changedBody:
      'Nothing was sent to it. Either the host was set up anew, or something stands between you and it.',
    was: 'Trusted so far',
    is: 'Offered now',
    replace: 'Replace the trusted key',
    fixFirst: 'Name, address and a key are needed.',
    keyFirst: 'Keep the key first, then test.'
  },
  knowledge: {
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
    unsaved: 'Not saved yet'
  },
  settings: {
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
      n === 1
        ? 'A field of the configuration was left out'
        : `${n} fields of the configuration were left out`,
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
      steps: modelStep,
      saveFirst: 'Save first, then check.'
    },
    policies: {
      body: 'The first rule that fits decides. Destructive actions always ask, whatever a rule says.',
      none: 'No rule of yours: reading runs, everything else asks.',
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
  },
  notice: { offer, stillThere: 'Nothing is lost.' },
  link: {
    title: 'Open this address in your browser',
    body: 'It comes from the conversation and was not written by you.',
    open: 'Open',
    copy: 'Copy address'
  },
  bar: {
    label: 'Status',
    hosts: (reachable: number, all: number) => `${reachable} of ${all} hosts`,
    noHosts: 'No hosts',
    noModel: 'No model',
    running: (n: number) => `${n} running`,
    waiting: (n: number) => `${n} to decide`,
    assent: (time: string) => `window ${time}`,
    lab: 'lab'
  },
  palette: {
    label: 'Commands',
    placeholder: 'Go to a page, session, guest or command',
    none: 'Nothing fits.',
    pages: 'Pages',
    sessions: 'Sessions',
    guests: 'Guests',
    commands: 'Commands',
    newSession: 'New session',
    toggleSessions: 'Show or hide the list of sessions',
    toggleInspector: 'Show or hide the inspector',
    refreshFleet: 'Refresh the fleet',
    addHost: 'Add host',
    theme: 'Switch between light and dark',
    stop: 'Stop the turn'
  },
  live: {
    approval: (title: string) => `Needs your approval: ${title}`,
    ended: (title: string, state: string) => `${title}: ${state}`
  }
}
