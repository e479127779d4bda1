import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge, SequencedEvent } from './contract'
import { channels } from './contract/channels'
import { isRouteName } from './route-names'

const listeners = new Set<(event: SequencedEvent) => void>()

// Electron's own event object stays here: it would hand the page a way to send anything anywhere.
ipcRenderer.on(channels.event, (_event, events: readonly SequencedEvent[]) => {
  for (const event of events) for (const listener of [...listeners]) listener(event)
})

const bridge: Bridge = {
  request: (route, input) =>
    isRouteName(route)
      ? ipcRenderer.invoke(channels.request, route, input)
      : Promise.resolve({
          ok: false,
          error: { code: 'route_unknown', message: 'This is nothing the app can do.' }
        }),
  onEvent(listener) {
    // One of its own for each call, so that the same listener twice is two subscriptions.
    const own = (event: SequencedEvent) => listener(event)
    listeners.add(own)
    return () => {
      listeners.delete(own)
    }
  },
  platform: process.platform
}

contextBridge.exposeInMainWorld('nomos', bridge)
