import { ok } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'

/** External MCP servers, and what the operator decides about them. */
export function mcpHandlers({ mcpServers }: Services): Group<'mcp'> {
  return {
    'mcp.list': async () => ok([...mcpServers.list()]),
    'mcp.add': async ({ name, server }) => mcpServers.add(name, server),
    'mcp.consent': async ({ name, hash }) => mcpServers.consent(name, hash),
    'mcp.allow_tool': async ({ server, tool, hash, allowed }) =>
      mcpServers.allowTool(server, tool, hash, allowed),
    'mcp.reconnect': async ({ name }) => mcpServers.reconnect(name),
    'mcp.remove': async ({ name }) => mcpServers.remove(name)
  }
}
