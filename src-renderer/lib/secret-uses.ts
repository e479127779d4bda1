import type { Config } from '@contract'
import { t } from './text'

/** What uses the secret of this name, in the operator's words. */
export function usesOf(name: string, { model, hosts, mcpServers }: Config): string[] {
  const ref = `keychain:${name}`
  const words = t.settings.secrets.uses
  const byHost = hosts.filter(
    ({ identity }) =>
      ('keychain' in identity && identity.keychain === name) ||
      ('passphrase' in identity && identity.passphrase === ref)
  )
  const byServer = Object.entries(mcpServers).filter(([, server]) =>
    'url' in server ? server.token === ref : Object.values(server.env).includes(ref)
  )
  return [
    ...(model?.apiKey === ref ? [words.model] : []),
    ...byHost.map((host) => words.host(host.name)),
    ...byServer.map(([server]) => words.server(server))
  ]
}
