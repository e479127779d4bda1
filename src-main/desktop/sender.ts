import { appOrigin } from './app-url'

/** What is known of the frame that a request comes from. */
export interface Frame {
  readonly origin: string
}

/**
 * Only the page of the window itself may ask: not a frame inside it, not another window, not a frame that is already
 * gone (null, or no longer the window's page), not a page from elsewhere. Electron's own `detached` is not asked: once
 * a page has crashed it stays true for the page that takes its place.
 */
export const isTrusted = (sender: Frame | null, page: Frame | null): boolean =>
  sender !== null && sender === page && sender.origin === appOrigin
