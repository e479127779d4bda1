import { createServer } from 'node:http'
import { loopback, type LoopbackServer } from '../loopback'
import { pageAt } from './pages'

const hosts = new Set(['github.com', 'www.github.com', 'raw.githubusercontent.com', 'api.github.com'])

/** Serves the pages of the internet that the lab's scenes read. */
export function startSite(): Promise<LoopbackServer> {
  return loopback(
    createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://lab.invalid').pathname
      const page = pageAt(decodeURI(path))
      response.writeHead(page.status, { 'content-type': page.type, 'cache-control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : page.body)
    })
  )
}

/** The site's own address for a page it has; null for every other address. */
export function siteAddress(base: string, url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname, pathname, port, username } = new URL(url)
  if (
    (protocol !== 'https:' && protocol !== 'http:') ||
    port !== '' ||
    username !== '' ||
    !hosts.has(hostname)
  )
    return null
  const path = hostname === 'api.github.com' ? pathname.replace(/^\/repos/, '') : pathname
  if (!/^\/priveetee\/typetype(\/|$)/i.test(path)) return null
  return `${base}/${hostname.replace(/^www\./, '')}${pathname}`
}
