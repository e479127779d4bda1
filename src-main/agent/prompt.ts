import type { Clock } from '../base/clock'
import { redact } from '../base/redact'

export interface PromptParts {
  /** Text of `resources/SOUL.md`: who Nomos is and how it works. */
  readonly soul: string
  readonly toolsSummary: () => string
  readonly skillsIndex: () => string
  readonly fleetSummary: () => string
  readonly clock: Clock
}

/** The head of every prompt: what changes least comes first, so that services can reuse what they have read. */
export function systemPrompt(parts: PromptParts): string {
  const sections: readonly (readonly [string, string])[] = [
    ['', parts.soul],
    ['Your tools', parts.toolsSummary()],
    ['Skills you can load', parts.skillsIndex()],
    ['The fleet now, in short', parts.fleetSummary()],
    ['Now', `${new Date(parts.clock.now()).toISOString().slice(0, 16)}Z (UTC)`]
  ]
  return redact(
    sections
      .filter(([, text]) => text.trim() !== '')
      .map(([title, text]) => (title === '' ? text.trim() : `# ${title}\n${text.trim()}`))
      .join('\n\n')
  )
}
