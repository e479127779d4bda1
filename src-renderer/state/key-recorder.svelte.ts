import { defaultShortcuts, shortcutFault, type ShortcutName, type Shortcuts } from '@contract'
import { eventKeys } from '../lib/keys'
import type { App } from './app.svelte'
import { keysInForce, ownerOf } from './shortcuts'

/** Why the keys that were pressed are not taken as they are. */
type Objection =
  | { readonly kind: 'unknown' | 'plain' | 'taken'; readonly keys: string }
  | { readonly kind: 'used'; readonly keys: string; readonly by: ShortcutName }

/** Records new keys for a shortcut: by pressing them. Escape keeps the old ones, Backspace leaves it without. */
export class KeyRecorder {
  recording = $state<ShortcutName | null>(null)
  objection = $state.raw<(Objection & { readonly name: ShortcutName }) | null>(null)

  constructor(private readonly app: App) {}

  toggle(name: ShortcutName): void {
    this.objection = null
    this.recording = this.recording === name ? null : name
  }

  stop(): void {
    this.recording = null
  }

  dismiss(): void {
    this.objection = null
  }

  press(event: KeyboardEvent): void {
    const name = this.recording
    // Tab goes on to the next control, as everywhere.
    if (name === null || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const held = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    if (event.key === 'Escape' && !held) return this.stop()
    if ((event.key === 'Backspace' || event.key === 'Delete') && !held) return void this.set({ [name]: '' })
    const keys = eventKeys(event, this.app.client.platform)
    if (keys !== null) this.#take(name, keys)
  }

  /** Gives the keys to the shortcut that asked, and leaves the other without. */
  async takeOver(): Promise<void> {
    const objection = this.objection
    if (objection?.kind === 'used') await this.set({ [objection.by]: '', [objection.name]: objection.keys })
  }

  async reset(name: ShortcutName): Promise<void> {
    this.#take(name, defaultShortcuts[name])
  }

  async resetAll(): Promise<void> {
    await this.set(defaultShortcuts)
  }

  async set(change: Partial<Shortcuts>): Promise<void> {
    this.recording = null
    this.objection = null
    await this.app.updateSettings({ shortcuts: { ...keysInForce(this.app), ...change } })
  }

  #take(name: ShortcutName, keys: string): void {
    const fault = shortcutFault(keys, this.app.client.platform)
    if (fault !== null) {
      this.objection = { kind: fault, keys, name }
      return
    }
    const by = ownerOf({ ...keysInForce(this.app), [name]: '' }, keys)
    if (by === undefined) return void this.set({ [name]: keys })
    this.recording = null
    this.objection = { kind: 'used', keys, by, name }
  }
}
