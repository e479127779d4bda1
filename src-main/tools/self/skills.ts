import { z } from 'zod'
import type { Skills } from '../../skills/port'
import { defineTool } from '../define'
import { refused, told } from '../outcome'
import type { Tool } from '../tool'

/** In the place of what a skill says of itself, until the operator has allowed it. */
const waiting = 'waits until the operator allows it under Knowledge, Skills'

/** Tools for skills: instructions that are read when they are needed. */
export const skillTools = (skills: Skills): Tool[] => [
  defineTool({
    name: 'list_skills',
    title: 'List skills',
    group: 'self',
    description:
      'The skills there are, with what each is for. Load the one that fits the task with load_skill.',
    input: z.strictObject({}),
    output: z.object({
      skills: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          origin: z.enum(['shipped', 'operator']),
          waits: z.boolean()
        })
      )
    }),
    readOnly: true,
    timeoutMs: 10_000,
    sentence: () => ({ sentence: 'Listing skills', object: 'skills' }),
    run() {
      const all = skills.list().map(({ name, description, origin, state }) => {
        const waits = state !== 'allowed'
        return { name, description: waits ? waiting : description, origin, waits }
      })
      const text =
        all.length === 0
          ? 'There are no skills.'
          : all.map((skill) => `${skill.name}: ${skill.description}`).join('\n')
      return Promise.resolve(told(text, { skills: all }))
    }
  }),

  defineTool({
    name: 'load_skill',
    title: 'Load a skill',
    group: 'self',
    description: 'The instructions of one skill, by its name. Use it when the task is what the skill is for.',
    input: z.strictObject({ name: z.string().min(1).max(64) }),
    output: z.object({ name: z.string(), description: z.string(), body: z.string() }),
    readOnly: true,
    timeoutMs: 10_000,
    textBytes: 32_768,
    sentence: ({ name }) => ({ sentence: `Loading the skill ${name}`, object: name }),
    run({ name }) {
      const loaded = skills.load(name)
      if (!loaded.ok) return Promise.resolve(refused(loaded.error))
      const { description, body } = loaded.value
      return Promise.resolve(told(body, { name: loaded.value.name, description, body }))
    }
  })
]
