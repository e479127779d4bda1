const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

/** What the desktop says outside the window's page: menus, tray, notifications and dialogs of the system. */
export const en = {
  /** For the pages made here. */
  language: 'en',
  menu: {
    file: 'File',
    newSession: 'New Session',
    close: 'Close Window',
    quit: 'Quit Nomos',
    edit: 'Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    view: 'View',
    actualSize: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    fullScreen: 'Full Screen',
    reload: 'Reload',
    developerTools: 'Developer Tools',
    window: 'Window',
    minimize: 'Minimize',
    help: 'Help',
    showLogs: 'Show Logs',
    about: 'About Nomos',
    services: 'Services',
    hide: 'Hide Nomos',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
    preferences: 'Settings'
  },
  pages: { chat: 'Chat', ops: 'Ops', fleet: 'Fleet', knowledge: 'Knowledge', settings: 'Settings' },
  risk: {
    read_only: 'reads only',
    service_action: 'service action',
    config_mutation: 'changes configuration',
    destructive: 'destructive, cannot be undone'
  },
  card: {
    where: (target: string, host: string) => `${target} on ${host}`,
    guest: 'guest',
    plan: (title: string, n: number) => `${title} (${count(n, 'step', 'steps')})`
  },
  decide: { approve: 'Approve', deny: 'Deny', show: 'Show in Nomos' },
  tray: {
    waiting: (n: number) => count(n, 'decision waits for you', 'decisions wait for you'),
    running: (n: number) => count(n, 'execution runs', 'executions run'),
    pause: 'Pause the agent',
    open: 'Open Nomos',
    quit: 'Quit',
    tip: {
      waiting: (n: number) => `${n} waiting for you`,
      running: (n: number) => `${n} running`,
      thinking: 'the agent is at work'
    }
  },
  time: {
    seconds: (n: number) => `${n} s`,
    minutes: (n: number) => `${n} min`,
    hours: (hours: number, minutes: string) => `${hours} h ${minutes} min`
  },
  notice: {
    approve: (title: string) => `Approve? ${title}`,
    openToSee: 'Open Nomos to see all of it and to decide.',
    outcome: {
      succeeded: 'Done',
      failed: 'Failed',
      timed_out: 'Out of time',
      interrupted: 'Interrupted',
      lost: 'Lost track of it'
    },
    on: (host: string) => `on ${host}`,
    needsYou: 'The agent needs you',
    decisions: (n: number) => `${n} decisions wait for you`,
    things: (n: number, decisions: number) =>
      decisions === 0
        ? `${n} things happened`
        : `${n} things happened, ${count(decisions, 'needs a decision', 'need a decision')}`,
    staysTitle: 'Nomos goes on in the background',
    staysBody:
      'Something still runs or waits for you. Open the window from the tray, or by starting Nomos again.'
  },
  approval: {
    title: 'Nomos asks for your approval',
    more: (n: number) => `and ${n} more`,
    undo: (what: string) => `Undo: ${what}`,
    destructive: 'This is approved in Nomos itself, where its name is typed.'
  },
  link: {
    title: 'Open in the browser',
    question: 'Open this address in your browser?',
    cancel: 'Cancel',
    open: 'Open'
  },
  server: {
    title: 'Start a program on this machine',
    question: (name: string) => `Let Nomos start this program for the MCP server “${name}”?`,
    body: 'It runs on this machine with your rights, exactly so:',
    variables: 'With these variables:',
    cancel: 'Do not start it',
    start: 'Start it'
  },
  failure: { title: 'Nomos cannot start', close: 'Close this window to quit.' },
  autostart: (why: string) =>
    `Starting with your desktop session could not be set: ${why}. Set it again in Settings, Appearance.`
}
