import { appOrigin } from './app-url'

/** What is known of the frame that a request comes from. */
export interface Frame {
  readonly origin: string
  readonly detached?: boolean
}

/**
 * Only the page of the window itself may ask: not a frame inside it, not another window, not a frame that is already
 * gone (null), not a page from elsewhere.
 */
export const isTrusted = (sender: Frame | null, page: Frame | null): boolean =>
  sender !== null && sender === page && sender.detached !== true && sender.origin === appOrigin
