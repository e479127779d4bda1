import { join } from 'node:path'
import { Menu, nativeImage, nativeTheme, Tray, type MenuItemConstructorOptions } from 'electron'
import type { NomosEvent, Place } from '../../src-preload/contract'
import { messageOf } from '../base/result'
import type { Services } from '../ipc/services'
import { decideCard } from './decide'
import type { DecisionCard } from './decision-card'
import type { Speech } from './speech'
import { trayModel, type TrayModel, type TrayState } from './tray-model'

/** What changes the tray's content. */
const relevant: readonly NomosEvent['type'][] = [
  'approval.changed',
  'execution.changed',
  'session.changed',
  'session.deleted'
]
/** Changes within this time are shown together. Milliseconds. */
const settleMs = 150
/** How often elapsed times are written anew while something runs. Milliseconds. */
const tickMs = 15_000

export interface TrayOptions {
  readonly services: Services
  readonly appFolder: string
  readonly lead: (to: Place) => void
  readonly open: () => void
  readonly quit: () => void
  readonly texts: () => Speech
}

/** The icon in the system's tray. Gives null where the system has none; the app works the same without. */
export function startTray(options: TrayOptions): Tray | null {
  const { services } = options
  let tray: Tray
  try {
    tray = new Tray(imageOf('idle', options.appFolder))
  } catch (error) {
    services.log.log('info', 'tray', 'there is no tray here', { error: messageOf(error) })
    return null
  }

  let paused = false
  let planned: NodeJS.Timeout | null = null
  const pause = (to: boolean) => {
    paused = to
    services.agent.pause(to)
    refresh()
  }
  const refresh = () => {
    planned = null
    if (tray.isDestroyed()) return
    const model = trayModel(services, options.texts(), paused, services.store.clock.now())
    tray.setImage(imageOf(model.state, options.appFolder))
    tray.setToolTip(model.tooltip)
    tray.setContextMenu(Menu.buildFromTemplate(menuOf(model, options, pause)))
    if (model.running.length > 0) plan(tickMs)
  }
  const plan = (inMs: number) => {
    if (planned) clearTimeout(planned)
    planned = setTimeout(refresh, inMs)
  }

  services.store.bus.subscribe(({ event }) => {
    if (relevant.includes(event.type)) plan(settleMs)
  })
  nativeTheme.on('updated', () => plan(settleMs))
  services.config.onChange(() => plan(settleMs))
  tray.on('click', options.open)
  refresh()
  return tray
}

/** On macOS a template picture, which the system colours; elsewhere one for the panel's own shade. */
function imageOf(state: TrayState, appFolder: string) {
  const shade = nativeTheme.shouldUseDarkColors ? 'on-dark' : 'on-light'
  const name = process.platform === 'darwin' ? `tray-${state}-Template` : `tray-${state}-${shade}`
  return nativeImage.createFromPath(join(appFolder, 'resources/icons', `${name}.png`))
}

function menuOf(
  { decisions, running, paused }: TrayModel,
  options: TrayOptions,
  pause: (to: boolean) => void
): MenuItemConstructorOptions[] {
  const separator = { type: 'separator' } as const
  const { tray } = options.texts()
  return [
    ...(decisions.length === 0
      ? []
      : [
          heading(tray.waiting(decisions.length)),
          ...decisions.map((card) => ({
            label: literally(card.title),
            submenu: decisionMenu(card, options)
          })),
          separator
        ]),
    ...(running.length === 0
      ? []
      : [
          heading(tray.running(running.length)),
          ...running.map(({ label, place }) => ({
            label: literally(label),
            click: () => options.lead(place)
          })),
          separator
        ]),
    { label: tray.pause, type: 'checkbox', checked: paused, click: ({ checked }) => pause(checked) },
    separator,
    { label: tray.open, click: options.open },
    { label: tray.quit, click: options.quit }
  ]
}

/** The whole of what would run, then the choice; what cannot be shown here whole is shown in the window. */
function decisionMenu(
  card: DecisionCard,
  { services, lead, texts }: TrayOptions
): MenuItemConstructorOptions[] {
  const words = texts().decide
  const decide = (decision: 'approve' | 'deny') => () => {
    if (!decideCard(services, card, decision, 'tray').ok) lead(card.place)
  }
  return [
    heading(card.where),
    ...(card.approvable ? card.commands.map(heading) : []),
    { type: 'separator' },
    { label: words.show, click: () => lead(card.place) },
    ...(card.approvable ? [{ label: words.approve, click: decide('approve') }] : []),
    { label: words.deny, click: decide('deny') }
  ]
}

const heading = (label: string): MenuItemConstructorOptions => ({ label: literally(label), enabled: false })

/** An ampersand marks a shortcut's letter unless it is doubled. */
const literally = (label: string) => label.replaceAll('&', '&&')
