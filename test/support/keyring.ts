import { sessionBus, Variant, type MessageBus } from 'dbus-next'
import { call } from './dbus-service'

const destination = 'org.freedesktop.secrets'
const path = '/org/freedesktop/secrets'
const service = 'org.freedesktop.Secret.Service'
const collection = '/org/freedesktop/secrets/collection/login'

async function onBus<T>(work: (bus: MessageBus) => Promise<T>): Promise<T> {
  const bus = sessionBus()
  try {
    return await work(bus)
  } finally {
    bus.disconnect()
  }
}

/** Locks the keyring of this session bus, as a desktop does with its screen. */
export const lockKeyring = (): Promise<unknown> =>
  onBus((bus) => call(bus, { destination, path, interface: service, member: 'Lock' }, 'ao', [[collection]]))

/** Unlocks it without the prompt that an operator would see: by GNOME Keyring's own interface for logins. */
export const unlockKeyring = (password: string): Promise<unknown> =>
  onBus(async (bus) => {
    const [, session] = await call(
      bus,
      { destination, path, interface: service, member: 'OpenSession' },
      'sv',
      ['plain', new Variant('s', '')]
    )
    const secret = [session, Buffer.alloc(0), Buffer.from(password), 'text/plain']
    return await call(
      bus,
      {
        destination,
        path,
        interface: 'org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface',
        member: 'UnlockWithMasterPassword'
      },
      'o(oayays)',
      [collection, secret]
    )
  })
