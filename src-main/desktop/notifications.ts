import { Notification } from 'electron'
import type { Place } from '../../src-preload/contract'
import type { Services } from '../ipc/services'
import { decideCard } from './decide'
import { NoticeBoard } from './notice-board'
import { isUrgent, type Notice } from './notices'
import type { Speech } from './speech'

export interface NotificationOptions {
  readonly services: Services
  readonly isSeen: (place: Place) => boolean
  readonly lead: (to: Place) => void
  readonly texts: () => Speech
}

/** Tells the operator through the system what happens while they look elsewhere. */
export function startNotifications({ services, isSeen, lead, texts }: NotificationOptions): void {
  // Also keeps them from being collected as garbage, which would make their buttons dead.
  const shown = new Map<string, { readonly notice: Notice; readonly notification: Notification }>()

  const close = (slot: string) => {
    const notification = shown.get(slot)?.notification
    shown.delete(slot)
    notification?.close()
  }

  const show = (notice: Notice) => {
    if (!Notification.isSupported()) return
    close(notice.replaces)
    const { card } = notice
    const actions =
      card === null ? [] : (['approve', 'deny'] as const).filter((a) => a === 'deny' || card.approvable)
    const notification = new Notification({
      title: notice.title,
      body: literally(notice.body),
      urgency: isUrgent(notice) ? 'critical' : 'normal',
      actions: actions.map((action) => ({ type: 'button', text: texts().decide[action] }))
    })
    notification.on('click', () => lead(notice.place))
    notification.on('action', (_event, index) => {
      const action = actions[index]
      if (card === null || action === undefined) return
      // Refused, because it was decided elsewhere, expired or changed: the place shows what is so now.
      if (!decideCard(services, card, action, 'notification').ok) lead(notice.place)
    })
    notification.on('close', () => {
      if (shown.get(notice.replaces)?.notification === notification) shown.delete(notice.replaces)
    })
    shown.set(notice.replaces, { notice, notification })
    notification.show()
  }

  const board = new NoticeBoard({
    executions: services.executions,
    switches: () => switchesOf(services),
    texts,
    isSeen,
    show,
    withdraw: (key) => {
      for (const [slot, { notice }] of shown) if (notice.key === key) close(slot)
    }
  })
  services.store.bus.subscribe(({ event }) => board.onEvent(event))
}

/** Desktops on Linux read markup in the body (freedesktop.org's notification specification), titles are plain text. */
const literally = (text: string) =>
  process.platform === 'linux'
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text

/** Where decisions are asked for by a dialog, a notification of the same would be one too many. */
function switchesOf({ config }: Services) {
  const { notifications, appearance } = config.get()
  return { ...notifications, approvals: notifications.approvals && !appearance.nativeApprovalDialog }
}
