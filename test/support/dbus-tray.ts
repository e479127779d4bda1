import { Variant, type Message, type MessageBus } from 'dbus-next'
import { onTestFinished, vi } from 'vitest'
import { call, nothing, serve } from './dbus-service'

const watcher = 'org.kde.StatusNotifierWatcher'
const item = 'org.kde.StatusNotifierItem'
const properties = 'org.freedesktop.DBus.Properties'
const menuInterface = 'com.canonical.dbusmenu'

/** An entry of the tray's menu as the desktop shows it. */
export interface MenuEntry {
  readonly id: number
  readonly label: string
  readonly enabled: boolean
  readonly checked: boolean
  readonly children: readonly MenuEntry[]
}

type Layout = [number, Record<string, Variant>, Variant<Layout>[]]

const watcherProperties: Readonly<Record<string, Variant>> = {
  RegisteredStatusNotifierItems: new Variant('as', []),
  IsStatusNotifierHostRegistered: new Variant('b', true),
  ProtocolVersion: new Variant('i', 0)
}

/** The part of a desktop that shows tray icons, on this session bus. Ends with the test. */
export class DesktopTray {
  private bus: MessageBus | null = null
  private place: { readonly destination: string; readonly path: string } | null = null

  static async start(): Promise<DesktopTray> {
    const tray = new DesktopTray()
    tray.bus = await serve(watcher, {
      [`${watcher}.RegisterStatusNotifierItem`]: (message) => {
        tray.register(message)
        return nothing
      },
      [`${watcher}.RegisterStatusNotifierHost`]: () => nothing,
      [`${properties}.Get`]: ({ body }) => ({
        signature: 'v',
        values: [watcherProperties[String(body[1])] ?? new Variant('s', '')]
      }),
      [`${properties}.GetAll`]: () => ({ signature: 'a{sv}', values: [watcherProperties] })
    })
    onTestFinished(() => tray.bus?.disconnect())
    return tray
  }

  /** The menu's entries, separators left out. */
  async menu(): Promise<readonly MenuEntry[]> {
    const { bus, destination, path } = await this.menuPlace()
    const [, layout] = await call(
      bus,
      { destination, path, interface: menuInterface, member: 'GetLayout' },
      'iias',
      [0, -1, []]
    )
    return entryOf(layout as Layout).children
  }

  /** Waits until the menu, taken apart into all its labels, contains one that matches. */
  async waitForEntry(label: RegExp, timeout = 15_000): Promise<MenuEntry> {
    return await vi.waitFor(
      async () => {
        const all = flat(await this.menu())
        const found = all.find((entry) => label.test(entry.label))
        if (!found)
          throw new Error(`no entry matches ${label}: ${JSON.stringify(all.map((entry) => entry.label))}`)
        return found
      },
      { timeout, interval: 100 }
    )
  }

  async press({ id }: MenuEntry): Promise<void> {
    const { bus, destination, path } = await this.menuPlace()
    const event = { destination, path, interface: menuInterface, member: 'Event' }
    await call(bus, event, 'isvu', [id, 'clicked', new Variant('s', ''), 0])
  }

  /** A click on the icon itself. */
  async activate(): Promise<void> {
    const { bus, place } = await this.registered()
    await call(bus, { ...place, interface: item, member: 'Activate' }, 'ii', [0, 0])
  }

  /** The icon's pixels, as width and bytes; other bytes are another picture. */
  async icon(): Promise<string> {
    const { bus, place } = await this.registered()
    const get = { ...place, interface: properties, member: 'Get' }
    const [icon] = await call(bus, get, 'ss', [item, 'IconPixmap'])
    const [first] = (icon as Variant<[number, number, Buffer][]>).value
    return first ? `${first[0]}:${Buffer.from(first[2]).toString('base64')}` : ''
  }

  private register({ sender, body }: Message): void {
    const name = String(body[0])
    this.place = name.startsWith('/')
      ? { destination: sender, path: name }
      : { destination: name, path: '/StatusNotifierItem' }
  }

  private async registered() {
    return await vi.waitFor(
      () => {
        if (!this.bus || !this.place) throw new Error('no tray icon has been registered')
        return { bus: this.bus, place: this.place }
      },
      { timeout: 15_000, interval: 50 }
    )
  }

  private async menuPlace() {
    const { bus, place } = await this.registered()
    const get = { ...place, interface: properties, member: 'Get' }
    const [menu] = await call(bus, get, 'ss', [item, 'Menu'])
    return { bus, destination: place.destination, path: (menu as Variant<string>).value }
  }
}

function entryOf([id, attributes, children]: Layout): MenuEntry {
  const entries = children.map((child) => entryOf(child.value))
  return {
    id,
    // A single underscore marks a shortcut's letter, a doubled one stands for itself.
    label: String(attributes['label']?.value ?? '').replace(/_(_?)/g, '$1'),
    enabled: attributes['enabled']?.value !== false,
    checked: attributes['toggle-state']?.value === 1,
    children: entries.filter((entry) => entry.label !== '')
  }
}

const flat = (entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)])
