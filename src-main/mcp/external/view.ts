import type { McpServerView, McpToolState, McpToolView } from '../../../src-preload/contract'
import { paramsText } from '../../tools/doing/catalogue'
import type { Definition } from './definition'
import type { Entry } from './servers'
import { StdioTransport } from './stdio-transport'
import type { Pin } from './table'

/** What a tool is worth now: it is served only as it was allowed, by the server of which it was allowed. */
export function toolState(tool: Definition, pin: Pin | undefined, launch: string): McpToolState {
  if (tool.problem !== null) return 'unusable'
  if (pin?.launch !== launch) return 'off'
  return pin.hash === tool.hash ? 'allowed' : 'changed'
}

/** A server as the settings page shows it. */
export function viewOf(
  { name, launch, hash, connection, transport }: Entry,
  confirmed: boolean,
  pins: ReadonlyMap<string, Pin>
): McpServerView {
  return {
    ...{ name, launch, hash },
    state: confirmed ? (connection?.state ?? 'connecting') : 'unconfirmed',
    error: connection?.error ?? null,
    stderr: transport instanceof StdioTransport ? transport.stderr : '',
    tools: (connection?.tools ?? []).map((tool) => toolView(tool, pins.get(tool.name), hash))
  }
}

function toolView(tool: Definition, pin: Pin | undefined, launch: string): McpToolView {
  const state = toolState(tool, pin, launch)
  const { name, calledAs, description, hash, problem } = tool
  return {
    ...{ name, calledAs, description, hash, problem, state },
    allowedDescription: state === 'changed' ? (pin?.description ?? null) : null,
    takes: paramsText(tool.inputSchema)
  }
}
