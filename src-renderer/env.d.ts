import type { Bridge } from '@contract'

declare global {
  interface Window {
    readonly nomos: Bridge
  }
}
