import type { McpLaunch, McpServerConfig } from '../../../src-preload/contract'
import { canonicalJson, sha256 } from '../../base/canonical'

/** What a server's configuration would start or connect to, for the operator to see whole. */
export const launchOf = (server: McpServerConfig): McpLaunch =>
  'command' in server
    ? { kind: 'stdio', command: server.command, args: server.args, env: server.env }
    : { kind: 'http', url: server.url, token: server.token ?? null }

/** What the operator's confirmation is bound to: any other command, argument, variable or address needs a new one. */
export const launchHash = (launch: McpLaunch): string => sha256(canonicalJson(launch))

/** What is started or connected to, for the audit trail: never arguments or variables, which may hold a secret. */
export function shortLaunch(launch: McpLaunch): string {
  if (launch.kind === 'stdio') return launch.command
  return URL.canParse(launch.url) ? new URL(launch.url).origin : 'an address'
}
