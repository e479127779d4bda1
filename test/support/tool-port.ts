import type { ToolInfo, ToolPort } from '../../src-main/agent/ports'
import type { ToolContext, ToolOutcome } from '../../src-main/tools/tool'

type Run = (
  args: Readonly<Record<string, unknown>>,
  context: ToolContext
) => ToolOutcome | Promise<ToolOutcome>

export interface TestTool {
  readonly readOnly?: boolean
  readonly run: Run
}

/** A tool port within the process; `calls` says what was really run. */
export function toolPort(
  tools: Readonly<Record<string, TestTool>>
): ToolPort & { readonly calls: { name: string; args: unknown; context: ToolContext }[] } {
  const calls: { name: string; args: unknown; context: ToolContext }[] = []
  const infos = Object.entries(tools).map(([name, tool]): ToolInfo => ({
    name,
    description: name,
    inputSchema: { type: 'object', properties: {} },
    readOnly: tool.readOnly ?? true
  }))
  return {
    calls,
    list: () => Promise.resolve(infos),
    async call(name, args, context) {
      calls.push({ name, args, context })
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
      return tool ? await tool.run(args, context) : { text: `no tool ${name}`, isError: true }
    },
    sentence: (name) => ({ sentence: `Calling ${name}`, object: name })
  }
}
