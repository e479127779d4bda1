import { z } from 'zod'
import { defineTool } from '../define'
import { told } from '../outcome'
import type { Tool } from '../tool'

const groupTitles: Readonly<Record<Tool['group'], string>> = {
  fleet: 'Looking at the fleet',
  inside: 'Looking inside hosts and guests',
  knowledge: 'Knowledge and the web',
  doing: 'Changing things',
  signals: 'Signals',
  self: 'Nomos itself',
  external: 'Tools of external servers, allowed by the operator'
}

/** The tools in groups, one line each, with the calls that answer for everything first. */
export function toolsSummary(tools: readonly Tool[]): string {
  // What a stranger's tool says of itself has no place in the prompt.
  const told = (tool: Tool) => (tool.group === 'external' ? '' : `: ${firstSentence(tool.description)}`)
  const line = (tool: Tool) => `- ${tool.name}(${argumentNames(tool)})${told(tool)}`
  const groups = (Object.keys(groupTitles) as Tool['group'][])
    .map((group) => ({ group, members: tools.filter((tool) => tool.group === group) }))
    .filter(({ members }) => members.length > 0)
    .map(({ group, members }) => [`${groupTitles[group]}:`, ...members.map(line)].join('\n'))
  return [
    'Bulk calls first: list_lxcs, list_vms, list_storages and get_state_snapshot answer for every host in one call, and ' +
      'list_updates for every running container. Ask for one entity (get_…) only when its details are needed.',
    ...groups,
    'Whatever changes something goes through request_execution or propose_plan. They return at once and the result comes ' +
      'by itself: end the turn instead of polling.'
  ].join('\n')
}

/** `target, lines?`. */
const argumentNames = (tool: Tool): string =>
  tool.inputSchema
    ? Object.keys(tool.inputSchema['properties'] ?? {}).join(', ')
    : Object.entries(tool.input.shape)
        .map(([name, schema]) => `${name}${schema instanceof z.ZodType && schema.isOptional() ? '?' : ''}`)
        .join(', ')

const firstSentence = (text: string): string =>
  text.slice(0, text.search(/[.:](\s|$)/) + 1 || 200).replace(/:$/, '.')

/** The tool that tells what the tools are; `tools` is asked when it is called, as is `external`, for the agent only. */
export const summaryTools = (tools: () => readonly Tool[], external: () => readonly Tool[]): Tool[] => [
  defineTool({
    name: 'get_tools_summary',
    title: 'Summary of the tools',
    group: 'self',
    description: 'What tools there are, in groups, and which of them answer for many things at once.',
    input: z.strictObject({}),
    output: z.object({
      tools: z.array(z.object({ name: z.string(), group: z.string(), read_only: z.boolean() }))
    }),
    readOnly: true,
    timeoutMs: 5000,
    sentence: () => ({ sentence: 'Reading the summary of the tools', object: 'tools' }),
    run(_input, { origin }) {
      const all = origin === 'agent' ? [...tools(), ...external()] : tools()
      return Promise.resolve(
        told(toolsSummary(all), {
          tools: all.map((tool) => ({ name: tool.name, group: tool.group, read_only: tool.readOnly }))
        })
      )
    }
  })
]
