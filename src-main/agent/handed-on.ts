import { z } from 'zod'
import { readJson } from '../base/json'
import type { CallRow } from './calls'

/** What a tool's result says of the execution or the plan that came of it. */
const handedOn = z.object({ title: z.string(), state: z.string() })

const mostTold = 3

/**
 * What the operator reads when a turn has handed on its work and the model added no word: what came of its calls and
 * what happens now. Null when there is nothing to tell.
 */
export function handedOnText(calls: readonly CallRow[]): string | null {
  const things = calls.flatMap((call) => {
    if (call.state !== 'done') return []
    const told = handedOn.safeParse(readJson(call.structured ?? 'null'))
    return [told.success ? told.data : { title: call.sentence, state: 'running' }]
  })
  const lines = [
    line(things.filter(waits), 'Waits for your decision'),
    line(
      things.filter((thing) => !waits(thing)),
      'Under way'
    )
  ].filter((text) => text !== null)
  return lines.length === 0 ? null : lines.join('\n\n')
}

const waits = ({ state }: { readonly state: string }): boolean => state === 'awaiting_approval'

function line(things: readonly { readonly title: string }[], what: string): string | null {
  if (things.length === 0) return null
  const more = things.length > mostTold ? ` and ${things.length - mostTold} more` : ''
  return `${what}: ${things
    .slice(0, mostTold)
    .map(({ title }) => title)
    .join('; ')}${more}.`
}
