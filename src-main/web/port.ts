import type { Result } from '../base/result'

export interface WebPage {
  readonly url: string
  readonly title: string
  /** At most 8 KB of Markdown from `offset` on. */
  readonly text: string
  readonly offset: number
  /** Null at the end. */
  readonly nextOffset: number | null
  readonly totalChars: number
}

/** Reads public web pages as text; private addresses only where the configuration allows them. */
export interface Web {
  /**
   * Errors: `url_refused` (scheme, port, userinfo, length), `address_blocked`, `too_many_redirects`, `fetch_timeout`,
   * `fetch_failed`, `too_large`, `not_text`, `http_status`.
   */
  fetch(url: string, offset: number, signal: AbortSignal): Promise<Result<WebPage>>
}
