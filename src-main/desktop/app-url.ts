/** The app's own scheme and host: the only origin a window ever shows. */
export const scheme = 'app'
const host = 'nomos'
/** As Chromium writes it; Node's `URL` gives "null" for schemes it does not know. */
export const appOrigin = `${scheme}://${host}`
export const startUrl = `${appOrigin}/index.html`
export const failureUrl = `${appOrigin}/failure.html`

/** True for addresses inside the app; compared part by part, never by how the text begins. */
export function isAppUrl(address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return url.protocol === `${scheme}:` && url.host === host && url.username === '' && url.password === ''
}
