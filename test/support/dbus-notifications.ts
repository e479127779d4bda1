import { Message, type MessageBus } from 'dbus-next'
import { onTestFinished, vi } from 'vitest'
import { nothing, serve } from './dbus-service'

const service = 'org.freedesktop.Notifications'
const path = '/org/freedesktop/Notifications'

/** A notification as the desktop received it. */
export interface Shown {
  readonly id: number
  readonly title: string
  readonly body: string
  /** Key and label of each button; `default` is a click on the notification itself. */
  readonly actions: Readonly<Record<string, string>>
}

/** The part of a desktop that shows notifications, on this session bus. Ends with the test. */
export class DesktopNotifications {
  private readonly all: Shown[] = []
  private readonly closed = new Set<number>()
  private bus: MessageBus | null = null

  static async start(): Promise<DesktopNotifications> {
    const desktop = new DesktopNotifications()
    desktop.bus = await serve(service, {
      [`${service}.GetCapabilities`]: () => ({
        signature: 'as',
        values: [['body', 'body-markup', 'actions']]
      }),
      [`${service}.GetServerInformation`]: () => ({
        signature: 'ssss',
        values: ['test', 'test', '1', '1.2']
      }),
      [`${service}.Notify`]: (message) => ({ signature: 'u', values: [desktop.receive(message)] }),
      [`${service}.CloseNotification`]: ({ body }) => {
        desktop.close(Number(body[0]))
        return nothing
      }
    })
    onTestFinished(() => desktop.bus?.disconnect())
    return desktop
  }

  /** Every notification so far, in order. */
  get shown(): readonly Shown[] {
    return this.all
  }

  /** Those that are still on the screen. */
  get open(): readonly Shown[] {
    return this.all.filter(({ id }) => !this.closed.has(id))
  }

  /** Waits for a notification whose title or body matches. */
  async waitFor(text: RegExp, timeout = 15_000): Promise<Shown> {
    return await vi.waitFor(
      () => {
        const found = this.open.find(({ title, body }) => text.test(title) || text.test(body))
        if (!found) throw new Error(`no notification matches ${text}: ${JSON.stringify(this.open)}`)
        return found
      },
      { timeout, interval: 50 }
    )
  }

  /** Presses a button of a notification; without one, clicks the notification itself. */
  press({ id }: Shown, action = 'default'): void {
    this.emit('ActionInvoked', 'us', [id, action])
    this.close(id)
  }

  private receive({ body }: Message): number {
    const [, replaced, , title, text, pairs] = body as [string, number, string, string, string, string[]]
    const id = replaced > 0 ? replaced : this.all.length + 1
    const actions: Record<string, string> = {}
    for (let i = 0; i + 1 < pairs.length; i += 2) actions[pairs[i] ?? ''] = pairs[i + 1] ?? ''
    this.all.push({ id, title, body: text, actions })
    return id
  }

  private close(id: number): void {
    this.closed.add(id)
    this.emit('NotificationClosed', 'uu', [id, 2])
  }

  private emit(name: string, signature: string, values: unknown[]): void {
    this.bus?.send(Message.newSignal(path, service, name, signature, values))
  }
}
