import { ipcMain, type BrowserWindow } from 'electron'
import { channels } from '../../src-preload/contract/channels'
import type { Logger } from '../base/log'
import { fail } from '../base/result'
import type { Dispatch } from '../ipc/dispatch'
import type { Said } from '../ipc/said'
import type { EventBus } from '../store/bus'
import { pumpEvents } from './event-pump'
import { isTrusted } from './sender'

export interface BridgeOptions {
  readonly window: () => BrowserWindow | null
  readonly dispatch: Dispatch
  readonly log: Logger
  /** The page has everything it needs and listens. */
  readonly onBootstrap: () => void
}

export interface Bridge {
  /** From now on the window is told the events. */
  tell(bus: EventBus, said: Said): void
  /** Takes no more requests, and waits for the answers that are under way. */
  close(): Promise<void>
}

/** The two channels to the window: its requests, answered once their sender is checked; and the events. */
export function startBridge({ window, dispatch, log, onBootstrap }: BridgeOptions): Bridge {
  const underWay = new Set<Promise<unknown>>()
  ipcMain.handle(channels.request, (event, route: unknown, input: unknown) => {
    // Read before anything else happens: a frame that goes away makes this null.
    const frame = event.senderFrame
    if (!isTrusted(frame, window()?.webContents.mainFrame ?? null)) {
      log.log('warn', 'ipc', 'a request from another frame was refused', { origin: frame?.origin })
      return fail('sender_refused', 'Only the window of Nomos itself may ask this.')
    }
    const reply = dispatch(route, input)
    underWay.add(reply)
    void reply.finally(() => underWay.delete(reply))
    if (route === 'app.bootstrap') void reply.then(() => setImmediate(onBootstrap))
    return reply
  })

  let stopEvents = () => {}
  return {
    tell(bus, said) {
      stopEvents = pumpEvents(bus, (events) => {
        const contents = window()?.webContents
        if (contents && !contents.isDestroyed() && !contents.isCrashed())
          contents.send(
            channels.event,
            events.map((told) => ({ ...told, event: said.event(told.event) }))
          )
      })
    },
    async close() {
      stopEvents()
      ipcMain.removeHandler(channels.request)
      await Promise.all(underWay)
    }
  }
}
