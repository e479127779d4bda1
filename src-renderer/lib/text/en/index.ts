import { app, nav, bar, palette, link, notice, live } from './shell'
import { chat, attachment, tools, diff, inspector } from './chat'
import { common, state, risk, origin, keys, day, numbers } from './words'
import { execution } from './execution'
import { first } from './first'
import { fleet } from './fleet'
import { host, knownHosts } from './host'
import { knowledge } from './knowledge'
import { ops, audit } from './ops'
import { actions } from './actions'
import { plan, approval, assent } from './approval'
import { sessions, usage, models } from './sessions'
import { settings } from './settings'
import { signals } from './signals'
import { target } from './target'

export const en = {
  app,
  nav,
  common,
  state,
  risk,
  origin,
  keys,
  numbers,
  day,
  sessions,
  usage,
  models,
  chat,
  first,
  attachment,
  tools,
  diff,
  plan,
  approval,
  actions,
  assent,
  inspector,
  execution,
  ops,
  audit,
  signals,
  fleet,
  target,
  host,
  knownHosts,
  knowledge,
  settings,
  notice,
  link,
  bar,
  palette,
  live
}
