import type { McpLaunch, Place } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** What a request may do to the operator's desktop outside the window. */
export interface Shell {
  /** Opens a web address in the browser after the operator agreed. Errors: `url_refused`, `declined`. */
  openExternal(url: string): Promise<Result<null>>
  copy(text: string): void
  showFolder(path: string): Promise<Result<null>>
  /**
   * Asks, in a dialog of the system that no page can press, whether this program may be started on this machine.
   * True when the operator agreed.
   */
  confirmProgram(name: string, program: Extract<McpLaunch, { kind: 'stdio' }>): Promise<boolean>
  /** The window says which place it shows. */
  noteShown(place: Place): void
  /** Ends the app in its own way, after what was asked is answered, and starts it again. */
  restart(): void
}
