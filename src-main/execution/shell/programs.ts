import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { programOf } from './wrappers'

/** What prepares or says something, and is not what a script is run for. */
const small = new Set([
  ...['set', 'cd', 'export', 'echo', 'printf', 'test', '[', '[[', 'true', 'false', ':', 'exit', 'return'],
  ...['sudo', 'env', 'umask', 'trap', 'shift', 'read', 'local', 'unset', 'sleep', 'command', 'exec']
])

/** The programs that a script runs, each once, in the order in which they stand; for telling, never for judging. */
export function programsIn(script: string): readonly string[] {
  const found = new Set<string>()
  const look = (node: SyntaxNode, depth: number): void => {
    if (depth > 60) return
    if (node.type === 'Command') {
      const words = [node.name, ...node.args].flatMap((word) => (word?.type === 'Word' ? [word.value] : []))
      const program = words.map(programOf).find((word) => !small.has(word) && !word.startsWith('-'))
      const isPlain = program !== undefined && /^[\w.+-]+$/.test(program)
      // Only what is run, not what is merely said or set.
      if (isPlain && (!small.has(programOf(words[0] ?? '')) || /^(?:sudo|env|exec)$/.test(words[0] ?? '')))
        found.add(program)
    }
    forEachChild(node, (child) => look(child, depth + 1))
  }
  look(parse(script), 0)
  return [...found]
}
