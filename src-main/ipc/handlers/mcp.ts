import { fail, ok } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'
import type { Shell } from '../shell'

/** External MCP servers, and what the operator decides about them. */
export function mcpHandlers({ mcpServers }: Services, shell: Shell): Group<'mcp'> {
  /** A program runs with the operator's rights: a page alone, whoever speaks through it, does not start one. */
  const isWanted = async (name: string, hash: string): Promise<boolean> => {
    const server = mcpServers.list().find((one) => one.name === name && one.hash === hash)
    const launch = server?.launch
    return launch?.kind !== 'stdio' || (await shell.confirmProgram(name, launch))
  }

  return {
    'mcp.list': async () => ok([...mcpServers.list()]),
    'mcp.add': async ({ name, server }) => mcpServers.add(name, server),
    'mcp.consent': async ({ name, hash }) =>
      (await isWanted(name, hash))
        ? mcpServers.consent(name, hash)
        : fail('declined', `${name} was not started.`),
    'mcp.allow_tool': async ({ server, tool, hash, allowed }) =>
      mcpServers.allowTool(server, tool, hash, allowed),
    'mcp.reconnect': async ({ name }) => mcpServers.reconnect(name),
    'mcp.remove': async ({ name }) => mcpServers.remove(name)
  }
}
