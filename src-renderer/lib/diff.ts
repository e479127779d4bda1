/** A line of a diff as it is drawn. Numbers are those of the file before and after; null where there is none. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk' | 'note'
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

export interface DiffFile {
  /** The path after the change, or that before it when the file is removed. */
  readonly path: string
  /** The path before, when it is another one. */
  readonly was: string | null
  readonly change: 'changed' | 'added' | 'removed'
  readonly added: number
  readonly removed: number
  readonly lines: readonly DiffLine[]
}

export interface Diff {
  readonly files: readonly DiffFile[]
  /** What stands before, between and behind the files, such as the command's own words. */
  readonly rest: string
}

/** Longer diffs are shown as the text they are: nobody reads them line by line. */
const longestDiff = 400_000
/** Where the first file of a diff has to begin. */
const beginsWithin = 4_000

const fileHead = /^--- [^\n]+\n\+\+\+ [^\n]+\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m
const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** True for what `diff -u` and `git diff` write. */
export function isDiff(text: string): boolean {
  return text.length <= longestDiff && fileHead.test(text.slice(0, beginsWithin))
}

/** Reads a unified diff in one pass over its lines; whatever is none of it is kept beside. */
export function parseDiff(text: string): Diff {
  return new DiffReader(text.replace(/\n$/, '').split('\n')).read()
}

/** `a/etc/hosts	2026-01-01 …` is `etc/hosts`. */
const pathOf = (head: string): string =>
  head
    .slice(4)
    .split('\t', 1)
    .join('')
    .replace(/^[ab]\//, '')

const nowhere = '/dev/null'
/** Lines of git that say again what the head of the file says. */
const gitHead = /^(diff --git |index [0-9a-f]+\.\.|(new|deleted) file mode )/

class DiffReader {
  readonly #lines: readonly string[]
  readonly #files: DiffFile[] = []
  readonly #rest: string[] = []
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  read(): Diff {
    while (this.#at < this.#lines.length) {
      if (this.#startsFile()) this.#files.push(this.#file())
      else this.#keep(this.#next())
    }
    return { files: this.#files, rest: this.#rest.join('\n').trim() }
  }

  #peek(ahead = 0): string {
    return this.#lines[this.#at + ahead] ?? ''
  }

  #next(): string {
    const line = this.#peek()
    this.#at += 1
    return line
  }

  #keep(line: string): void {
    if (!gitHead.test(line)) this.#rest.push(line)
  }

  #startsFile(): boolean {
    return this.#peek().startsWith('--- ') && this.#peek(1).startsWith('+++ ') && hunkHead.test(this.#peek(2))
  }

  #file(): DiffFile {
    const before = pathOf(this.#next())
    const after = pathOf(this.#next())
    const lines: DiffLine[] = []
    while (hunkHead.test(this.#peek())) this.#hunk(lines)
    const gone = after === nowhere
    return {
      path: gone ? before : after,
      was: before === after || before === nowhere || gone ? null : before,
      change: gone ? 'removed' : before === nowhere ? 'added' : 'changed',
      added: lines.filter((line) => line.kind === 'added').length,
      removed: lines.filter((line) => line.kind === 'removed').length,
      lines
    }
  }

  /** A hunk has as many lines as its head says: a removed line may look like the head of a file. */
  #hunk(lines: DiffLine[]): void {
    const head = this.#next()
    const [, from = '0', were = '1', to = '0', are = '1'] = hunkHead.exec(head) ?? []
    let before = Number(from)
    let after = Number(to)
    const lastBefore = before + Number(were)
    const lastAfter = after + Number(are)
    lines.push({ kind: 'hunk', before: null, after: null, text: head })
    while (this.#at < this.#lines.length && !this.#startsFile()) {
      const sign = this.#peek().charAt(0)
      const text = this.#peek().slice(1)
      if (sign === '\\') lines.push({ kind: 'note', before: null, after: null, text: text.trim() })
      else if (before >= lastBefore && after >= lastAfter) return
      else if (sign === '-') lines.push({ kind: 'removed', before: before++, after: null, text })
      else if (sign === '+') lines.push({ kind: 'added', before: null, after: after++, text })
      else if (sign === ' ' || sign === '')
        lines.push({ kind: 'same', before: before++, after: after++, text })
      else return
      this.#at += 1
    }
  }
}
