import type { NoticeOffer } from '@contract'
import { count } from '../count'

export const app = {
  loading: 'Starting',
  failed: 'Nomos could not start',
  retry: 'Try again',
  logs: 'Show logs',
  viewFailed: 'This could not be shown.',
  viewFailedHint: 'What runs goes on, and nothing was lost. The log tells more.'
}

export const nav = {
  label: 'Pages',
  chat: 'Chat',
  ops: 'Ops',
  fleet: 'Fleet',
  knowledge: 'Knowledge',
  settings: 'Settings',
  waiting: (n: number) => count(n, 'decision waits', 'decisions wait')
}

export const bar = {
  label: 'Status',
  hosts: (reachable: number, all: number) => `${reachable} of ${all} hosts`,
  noHosts: 'No hosts',
  noModel: 'No model',
  running: (n: number) => `${n} running`,
  waiting: (n: number) => `${n} to decide`,
  signals: (n: number) => (n === 1 ? '1 signal' : `${n} signals`),
  assent: (time: string) => `assent window ${time}`,
  lab: 'lab'
}

export const palette = {
  label: 'Commands',
  placeholder: 'Go to a page, guest or session, or say what to do: restart caddy',
  none: 'Nothing fits.',
  pages: 'Pages',
  sessions: 'Sessions',
  recent: 'Recent',
  guests: 'Guests',
  hosts: 'Hosts',
  actions: 'Actions',
  actionOn: (action: string, name: string) => `${action}: ${name}`,
  commands: 'Commands',
  newSession: 'New session',
  toggleSessions: 'Show or hide the list of sessions',
  toggleInspector: 'Show or hide the inspector',
  refreshFleet: 'Refresh the fleet',
  addHost: 'Add host',
  theme: 'Switch between light and dark',
  stop: 'Stop the turn'
}

export const link = {
  title: 'Open this address in your browser',
  body: 'It comes from the conversation and was not written by you.',
  open: 'Open',
  copy: 'Copy address'
}

const offer: Record<NoticeOffer, string> = {
  retry: 'Try again',
  continue: 'Go on',
  settings: 'Open settings',
  usual_model: 'Go on with the default model'
}

export const notice = { offer, stillThere: 'Nothing is lost.' }

export const live = {
  answered: 'The agent has answered',
  approval: (title: string) => `Needs your approval: ${title}`,
  ended: (title: string, state: string) => `${title}: ${state}`
}
