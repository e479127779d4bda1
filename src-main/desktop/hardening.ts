import { app, type Session, type WebContents } from 'electron'
import type { LogLevel } from '../base/log'
import { appOrigin, isAppUrl } from './app-url'

type Note = (level: LogLevel, message: string, data?: Record<string, unknown>) => void

/**
 * Closes what Electron leaves open by default, for every window and session there will be; once, before Electron is
 * ready. What is refused is noted, since nothing in the app asks for it.
 */
export function harden(note: Note): void {
  // Chromium cannot sandbox anything as root; whoever starts the app so says it on the command line.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.on('session-created', guardSession)
  app.on('web-contents-created', (_event, contents) => guardContents(contents, note))
}

/** No permission, no device, no request beyond the app itself. */
function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'] },
    (_request, answer) => answer({ cancel: true })
  )
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${appOrigin}/`)) event.preventDefault()
  })
}

function guardContents(contents: WebContents, note: Note): void {
  const stayInside = (event: { readonly url: string; preventDefault(): void }) => {
    if (isAppUrl(event.url)) return
    event.preventDefault()
    note('warn', 'a navigation was refused', { url: event.url.slice(0, 200) })
  }
  contents.on('will-navigate', stayInside)
  contents.on('will-frame-navigate', stayInside)
  contents.on('will-redirect', stayInside)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    note('warn', 'a new window was refused', { url: url.slice(0, 200) })
    return { action: 'deny' }
  })
}
