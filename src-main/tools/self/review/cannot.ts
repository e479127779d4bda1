/** A sentence in which the agent says that it is not able to do something. */
export interface Cannot {
  readonly at: number
  readonly sentence: string
  /** The action that it would have taken, such as `pct_create`; null when the sentence names none. */
  readonly action: string | null
  /** Whether the registry has that action now. */
  readonly exists: boolean
}

const saysCannot =
  /\b(?:i|we)\s+(?:can(?:'|’)?t|cannot|can not|am (?:not able|unable)|are (?:not able|unable)|(?:do not|don(?:'|’)t|lack)\s+(?:have\s+)?(?:a|an|any|the)?\s*(?:tool|action|way|means|access|permission|capability))\b|\bthere is no (?:tool|action|way)\b|\bich kann\b[^.!?\n]*\bnicht\b|\bkann ich\b[^.!?\n]*\bnicht\b|\bkein(?:e|en)? (?:aktion|werkzeug|möglichkeit)\b/i

/** A command of a host, as people name it: the program and what it is to do. */
const command = /\b(pct|qm|pveam|pvesm|apt|apt-get|systemctl)[ _]([a-z][a-z-]+)\b/i

/** Finds such sentences in a text. Actions are looked up among the names of the registry. */
export function cannotIn(text: string, at: number, actions: ReadonlySet<string>): Cannot[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => saysCannot.test(sentence))
    .map((sentence) => {
      const action = actionIn(sentence, actions)
      return { at, sentence: short(sentence.trim()), action, exists: action !== null && actions.has(action) }
    })
}

function actionIn(sentence: string, actions: ReadonlySet<string>): string | null {
  const named = [...actions].find((name) => name.includes('_') && sentence.includes(name))
  if (named !== undefined) return named
  const [, program = '', verb = ''] = command.exec(sentence) ?? []
  if (program === '') return null
  const alike = `${program === 'qm' ? 'vm' : program.replace('apt-get', 'apt')}_${verb}`.toLowerCase()
  if (!actions.has(alike) && actions.has(program.toLowerCase())) return program.toLowerCase()
  return alike
}

const short = (text: string): string => (text.length <= 240 ? text : `${text.slice(0, 239)}…`)
