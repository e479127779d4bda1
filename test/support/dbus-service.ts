import { Message, sessionBus, type MessageBus } from 'dbus-next'

/** What a method answers: a D-Bus signature and the values for it. */
export interface Answer {
  readonly signature: string
  readonly values: readonly unknown[]
}

export const nothing: Answer = { signature: '', values: [] }

type Methods = Readonly<Record<string, (message: Message) => Answer>>

/** Owns a name on the session bus and answers the calls to it: `interface.Member` → answer. */
export async function serve(name: string, methods: Methods): Promise<MessageBus> {
  const bus = sessionBus()
  bus.addMethodHandler((message: Message) => {
    const answer = methods[`${message.interface}.${message.member}`]?.(message)
    if (!answer) return false
    bus.send(Message.newMethodReturn(message, answer.signature, [...answer.values]))
    return true
  })
  const reply = await bus.requestName(name, 0)
  if (reply !== 1) {
    bus.disconnect()
    throw new Error(`another program has ${name} on this session bus`)
  }
  return bus
}

/** Calls a method and gives the values of its answer. */
export async function call(
  bus: MessageBus,
  to: {
    readonly destination: string
    readonly path: string
    readonly interface: string
    readonly member: string
  },
  signature = '',
  body: unknown[] = []
): Promise<readonly unknown[]> {
  const reply = await bus.call(new Message({ ...to, signature, body }))
  return reply?.body ?? []
}
