import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src-main/base/clock'
import { silentLogger } from '../../../src-main/base/log'
import { createCore, type Core } from '../../../src-main/core'
import { tempFolder } from '../../support/temp'

const root = join(import.meta.dirname, '../../..')

function core(): Core {
  const home = tempFolder()
  const made = createCore({
    ...{ home, appFolder: root, version: '0.0.0', logsFolder: home, env: {} },
    ...{ clock: systemClock, log: silentLogger }
  })
  if (!made.ok) throw new Error(made.error.message)
  onTestFinished(() => made.value.close())
  return made.value
}

interface Property {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly default?: unknown
}
interface Schema {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

/** A table of the fields of a JSON schema; empty for a schema without fields. */
function fieldsOf({ properties = {}, required = [] }: Schema): string[] {
  const names = Object.keys(properties)
  if (names.length === 0) return []
  const row = (name: string) => {
    const field = properties[name] ?? {}
    const values = field.enum?.join(', ') ?? [field.type ?? 'any'].flat().join(' or ')
    const preset = field.default === undefined ? '' : ` Default: \`${JSON.stringify(field.default)}\`.`
    const must = required.includes(name) && field.default === undefined ? 'yes' : ''
    return `| \`${name}\` | ${values} | ${must} | ${cell(`${field.description ?? ''}${preset}`)} |`
  }
  return ['', '| field | values | needed | |', '|---|---|---|---|', ...names.map(row)]
}

const cell = (text: string) => text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').replace(/</g, '&lt;').trim()

it('docs/actions.md is the registry of actions', async () => {
  const sections = core()
    .executions.actions()
    .map((action) =>
      [
        `## ${action.name}`,
        `${action.title}. On ${action.targets.join(', ')}; at least \`${action.risk}\`.`,
        '',
        cell(action.description),
        ...fieldsOf(action.params)
      ].join('\n')
    )
  const head =
    '# Actions\n\nWhat an execution can do. Made from the registry in `src-main/execution/actions/`; `npm test` fails when it is not up to date, `npx vitest -u` writes it anew.'
  await expect([head, ...sections].join('\n\n') + '\n').toMatchFileSnapshot(join(root, 'docs/actions.md'))
})

it('docs/tools.md is what the gateway serves', async () => {
  const { gateway } = core()
  const tools = [...gateway.tools().values()]
  const groups = [...new Set(tools.map((tool) => tool.group))]
  const sections = groups.map((group) =>
    [
      `## ${group[0]?.toUpperCase()}${group.slice(1)}`,
      ...tools
        .filter((tool) => tool.group === group)
        .map(
          (tool) =>
            `- \`${tool.name}\`${tool.readOnly ? '' : ' (changes something)'}: ${cell(firstParagraph(tool.description))}`
        )
    ].join('\n')
  )
  const head =
    '# Tools\n\nWhat the agent and other MCP clients can call. Made from the tools in `src-main/tools/`; `npm test` fails when it is not up to date, `npx vitest -u` writes it anew.'
  await expect([head, ...sections].join('\n\n') + '\n').toMatchFileSnapshot(join(root, 'docs/tools.md'))
})

const firstParagraph = (text: string) => text.split(/\n\s*\n|\n(?=Actions)/)[0] ?? ''
