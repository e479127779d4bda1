import { readFile } from 'node:fs/promises'
import { protocol, type Session } from 'electron'
import type { AppError } from '../base/result'
import { failureUrl, scheme } from './app-url'
import { findAsset, type Assets } from './assets'
import { failurePage } from './failure-page'
import type { Texts } from './text'

/**
 * What a page may do: scripts, fonts and requests of its own origin, pictures also inline. No picture and no request
 * goes anywhere else, so that text from outside cannot carry anything out (Electron's security list, item 7).
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'"
].join('; ')

const headers = (type: string) => ({
  'Content-Type': type,
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin'
})

/** Names the app's scheme; once, before Electron is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}

export interface AppPages {
  /** From now on `failureUrl` explains this error. */
  explain(error: AppError): void
  /** Resolves when all but the end of the first page's script is on its way: then it needs little from this process. */
  readonly scriptServed: Promise<void>
}

/** Serves the listed files, and nothing else, to the windows of a session. */
export function servePages(session: Session, assets: Assets, texts: () => Texts): AppPages {
  let failure: AppError | null = null
  let served = () => {}
  const scriptServed = new Promise<void>((done) => (served = done))
  session.protocol.handle(scheme, async ({ url, method }) => {
    if (method !== 'GET') return refuse()
    if (failure && url === failureUrl)
      return new Response(failurePage(failure, texts()), { headers: headers('text/html; charset=utf-8') })
    const asset = findAsset(assets, url)
    if (!asset) return refuse()
    const content = await readFile(asset.file)
    return new Response(bodyOf(asset.type, content), { headers: headers(asset.type) })
  })
  const bodyOf = (type: string, content: Buffer) => {
    if (type.startsWith('text/javascript')) return told(content, served)
    // The page knows its language from its first moment on.
    return type.startsWith('text/html') ? inLanguage(content.toString(), texts().language) : content
  }
  return {
    explain: (error) => {
      failure = error
    },
    scriptServed
  }
}

const inLanguage = (page: string, language: string): string =>
  page.replace('<html lang="en">', `<html lang="${language}">`)

/** What goes through Chromium's pipe to the page at once; more of it waits for this process. */
const pipeBytes = 64 * 1024

/** The content, piece by piece as it is taken, so that its end says that the page has it. */
function told(content: Buffer, taken: () => void): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < content.length) controller.enqueue(content.subarray(at, (at += pipeBytes)))
      else {
        controller.close()
        setImmediate(taken)
      }
    }
  })
}

const refuse = () =>
  new Response('There is nothing here.', { status: 400, headers: headers('text/plain; charset=utf-8') })
