import type { ArithmeticExpression, DoubleQuotedChild, Word, WordPart } from 'unbash'
import { glob } from './files'
import { collector } from './io'
import type { Shell } from './shell'

interface Piece {
  readonly text: string
  /** May be split into fields at white space. */
  readonly split: boolean
  readonly glob: boolean
  /** `"$@"`: these are fields of their own. */
  readonly fields?: readonly string[]
}

const literal = (text: string): Piece => ({ text, split: false, glob: false })

/** A word after expansion, as the one string an assignment or a redirection takes. */
export const expandOne = (shell: Shell, word: Word): string =>
  pieces(shell, word)
    .map((piece) => piece.fields?.join(' ') ?? piece.text)
    .join('')

/** A word after expansion, as the fields a command takes. */
export function expandFields(shell: Shell, word: Word): string[] {
  const parts = pieces(shell, word)
  const fields: string[] = []
  let current: string | null = null
  for (const piece of parts) {
    if (piece.fields) {
      const [first, ...rest] = piece.fields
      if (first === undefined) continue
      fields.push((current ?? '') + first, ...rest)
      current = fields.pop() ?? null
    } else if (piece.split) {
      const words = piece.text.split(/[ \t\n]+/)
      words.forEach((text, index) => {
        if (index > 0 && current !== null) {
          fields.push(current)
          current = null
        }
        if (text !== '') current = (current ?? '') + text
      })
    } else {
      current = (current ?? '') + piece.text
    }
  }
  if (current !== null) fields.push(current)
  if (!parts.some((piece) => piece.glob)) return fields
  return fields.flatMap((field) =>
    /[*?]/.test(field) ? glob(shell.machine, shell.state.cwd, field) : [field]
  )
}

function pieces(shell: Shell, word: Word): Piece[] {
  if (!word.parts) {
    if (word.value === '~' || word.value.startsWith('~/')) return [literal(`/root${word.value.slice(1)}`)]
    return [literal(word.value)]
  }
  return word.parts.flatMap((part) => piecesOf(shell, part))
}

function piecesOf(shell: Shell, part: WordPart): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value)]
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.parts.length === 1 && /^\$\{?@\}?$/.test(part.parts[0]?.text ?? '')) {
        return [{ ...literal(''), fields: shell.state.positional }]
      }
      return [literal(expandText(shell, part.parts))]
    case 'Glob':
      return [{ text: part.text, split: false, glob: true }]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      return [{ text: expandPart(shell, part), split: true, glob: true }]
    default:
      return [literal(part.text)]
  }
}

/** Text between double quotes or in a here-document. */
export const expandText = (shell: Shell, parts: readonly (DoubleQuotedChild | WordPart)[]): string =>
  parts.map((part) => expandPart(shell, part)).join('')

function expandPart(shell: Shell, part: DoubleQuotedChild | WordPart): string {
  switch (part.type) {
    case 'Literal':
      return part.value
    case 'SimpleExpansion':
      return shell.parameter(part.text.slice(1)) ?? ''
    case 'ParameterExpansion': {
      const value = shell.parameter(part.parameter)
      if (part.prefix === '#') return String((value ?? '').length)
      const operation = part.operation
      if (operation?.type === 'Default') {
        const absent = operation.operator.startsWith(':') ? !value : value === undefined
        if (operation.operator.endsWith('+')) return absent ? '' : expandOne(shell, operation.operand)
        if (!absent) return value ?? ''
        const fallback = expandOne(shell, operation.operand)
        if (operation.operator.endsWith('=')) shell.state.vars[part.parameter] = fallback
        return fallback
      }
      if (operation?.type === 'Remove')
        return removed(value ?? '', operation.operator, expandOne(shell, operation.operand))
      return value ?? ''
    }
    case 'CommandExpansion': {
      const { sink, text } = collector()
      if (part.script)
        shell.subshell((inner) => inner.script(part.script?.commands ?? [], { ...inner.io, out: sink }))
      return text().replace(/\n+$/, '')
    }
    case 'ArithmeticExpansion':
      return String(part.expression ? arithmetic(shell, part.expression) : 0)
    default:
      return 'value' in part && typeof part.value === 'string' ? part.value : part.text
  }
}

/** `${x#p}`, `${x%p}` and their greedy forms, for patterns with `*` and `?`. */
function removed(value: string, operator: string, pattern: string): string {
  const body = pattern
    .split('')
    .map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c.replace(/[\\^$.|+()[\]{}]/, '\\$&')))
    .join('')
  const whole = new RegExp(`^(?:${body})$`, 's')
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length)
  if (operator.length === 2) lengths.reverse()
  for (const length of lengths) {
    const part = operator.startsWith('#') ? value.slice(0, length) : value.slice(value.length - length)
    if (whole.test(part)) {
      return operator.startsWith('#') ? value.slice(length) : value.slice(0, value.length - length)
    }
  }
  return value
}

function arithmetic(shell: Shell, node: ArithmeticExpression): number {
  switch (node.type) {
    case 'ArithmeticWord': {
      const text = node.value.replace(/^\$\{?|\}$/g, '')
      return Number(/^\d+$/.test(text) ? text : (shell.parameter(text) ?? 0)) || 0
    }
    case 'ArithmeticGroup':
      return arithmetic(shell, node.expression)
    case 'ArithmeticUnary': {
      const value = arithmetic(shell, node.operand)
      return node.operator === '-' ? -value : node.operator === '!' ? Number(value === 0) : value
    }
    case 'ArithmeticBinary':
      return binary(node.operator, arithmetic(shell, node.left), arithmetic(shell, node.right))
    case 'ArithmeticTernary':
      return arithmetic(shell, arithmetic(shell, node.test) !== 0 ? node.consequent : node.alternate)
    default:
      return 0
  }
}

function binary(operator: string, a: number, b: number): number {
  const table: Readonly<Record<string, () => number>> = {
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => (b === 0 ? 0 : Math.trunc(a / b)),
    '%': () => (b === 0 ? 0 : a % b),
    '<': () => Number(a < b),
    '>': () => Number(a > b),
    '<=': () => Number(a <= b),
    '>=': () => Number(a >= b),
    '==': () => Number(a === b),
    '!=': () => Number(a !== b)
  }
  return table[operator]?.() ?? 0
}
