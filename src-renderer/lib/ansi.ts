/** Colours are the sixteen names of the terminal's palette, or an RGB triple. */
export type AnsiColour = number | `#${string}`

export interface AnsiStyle {
  readonly fg?: AnsiColour
  readonly bg?: AnsiColour
  readonly bold?: boolean
  readonly dim?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly inverse?: boolean
}

export interface AnsiRun {
  readonly text: string
  readonly style: AnsiStyle
}

export interface AnsiLine {
  readonly id: number
  readonly runs: readonly AnsiRun[]
  /** Name of the step that begins here: the line is a heading, not output. */
  readonly step: string | null
}

const plain: AnsiStyle = {}
const stepMark = /^\u001estep (.*)$/
const widestLine = 20_000
const tabWidth = 8

interface Cell {
  readonly char: string
  readonly style: AnsiStyle
}

const sameStyle = (a: AnsiStyle, b: AnsiStyle): boolean =>
  a === b ||
  (a.fg === b.fg &&
    a.bg === b.bg &&
    a.bold === b.bold &&
    a.dim === b.dim &&
    a.italic === b.italic &&
    a.underline === b.underline &&
    a.inverse === b.inverse)

function runsOf(cells: readonly Cell[]): AnsiRun[] {
  const runs: AnsiRun[] = []
  let text = ''
  let style = plain
  for (const cell of cells) {
    if (!sameStyle(cell.style, style)) {
      if (text !== '') runs.push({ text, style })
      text = ''
      style = cell.style
    }
    text += cell.char
  }
  if (text !== '') runs.push({ text, style })
  return runs
}

const cellsOf = (line: AnsiLine): Cell[] =>
  line.runs.flatMap((run) => Array.from(run.text, (char) => ({ char, style: run.style })))

const cubeLevels = [0, 95, 135, 175, 215, 255]
const hex = (...rgb: number[]): `#${string}` =>
  `#${rgb.map((part) => Math.max(0, Math.min(255, part)).toString(16).padStart(2, '0')).join('')}`

function colourOf256(code: number): AnsiColour {
  if (code < 16) return code
  if (code >= 232) return hex(...Array<number>(3).fill(8 + (code - 232) * 10))
  const index = code - 16
  return hex(
    ...[Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((part) => cubeLevels[part] ?? 0)
  )
}

function without(style: AnsiStyle, ...keys: (keyof AnsiStyle)[]): AnsiStyle {
  const rest = { ...style }
  for (const key of keys) delete rest[key]
  return rest
}

/** Applies one `m` sequence (SGR) to a style. */
function restyle(style: AnsiStyle, params: readonly number[]): AnsiStyle {
  let next = style
  for (let i = 0; i < params.length; i++) {
    const code = params[i] ?? 0
    if (code === 0) next = plain
    else if (code === 1) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, dim: true }
    else if (code === 3) next = { ...next, italic: true }
    else if (code === 4) next = { ...next, underline: true }
    else if (code === 7) next = { ...next, inverse: true }
    else if (code === 22) next = without(next, 'bold', 'dim')
    else if (code === 23) next = without(next, 'italic')
    else if (code === 24) next = without(next, 'underline')
    else if (code === 27) next = without(next, 'inverse')
    else if (code >= 30 && code <= 37) next = { ...next, fg: code - 30 }
    else if (code >= 90 && code <= 97) next = { ...next, fg: code - 82 }
    else if (code >= 40 && code <= 47) next = { ...next, bg: code - 40 }
    else if (code >= 100 && code <= 107) next = { ...next, bg: code - 92 }
    else if (code === 39) next = without(next, 'fg')
    else if (code === 49) next = without(next, 'bg')
    else if (code === 38 || code === 48) {
      const indexed = params[i + 1] === 5
      const colour = indexed
        ? colourOf256(params[i + 2] ?? 0)
        : hex(params[i + 2] ?? 0, params[i + 3] ?? 0, params[i + 4] ?? 0)
      next = code === 38 ? { ...next, fg: colour } : { ...next, bg: colour }
      i += indexed ? 2 : 4
    }
  }
  return next
}

/** ESC [ … letter, ESC ] … BEL (title, links: dropped), any other two-character escape. */
const sequence =
  /^\u001b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-Z\\`-~])/
const longestSequence = 4096

/**
 * A terminal's view of a growing text: lines with styles, where `\r` returns to the start of the line
 * and a cursor that moves up rewrites what is there. Keeps the last `keep` lines.
 */
export class AnsiScreen {
  /** Finished lines and the line being written, oldest first. */
  lines: AnsiLine[] = []
  /** How many older lines were let go. */
  dropped = 0
  #row = 0
  #column = 0
  #cells: Cell[] = []
  #style = plain
  #rest = ''
  #nextId = 0
  readonly #keep: number

  constructor(keep = 5_000) {
    this.#keep = keep
    this.#openLine()
  }

  write(text: string): void {
    const input = this.#rest + text
    this.#rest = ''
    let at = 0
    while (at < input.length) {
      const char = input.charAt(at)
      if (char === '\u001b') {
        const match = sequence.exec(input.slice(at, at + longestSequence))
        if (match === null) {
          if (input.length - at < longestSequence) {
            this.#rest = input.slice(at)
            break
          }
          at += 1
          continue
        }
        this.#control(match[2] ?? '', match[1] ?? '')
        at += match[0].length
        continue
      }
      at += this.#print(input, at)
    }
    this.#freeze()
    this.#trim()
  }

  #print(input: string, at: number): number {
    const code = input.codePointAt(at) ?? 0
    const char = String.fromCodePoint(code)
    if (char === '\n') this.#newLine()
    else if (char === '\r') this.#column = 0
    else if (char === '\b') this.#column = Math.max(0, this.#column - 1)
    else if (char === '\t') {
      const stop = Math.floor(this.#column / tabWidth + 1) * tabWidth
      while (this.#column < stop) this.#put(' ')
    } else if (code === 0x1e || (code >= 0x20 && code !== 0x7f)) this.#put(char)
    return char.length
  }

  #put(char: string): void {
    if (this.#column >= widestLine) return
    while (this.#cells.length < this.#column) this.#cells.push({ char: ' ', style: plain })
    this.#cells[this.#column] = { char, style: this.#style }
    this.#column += 1
  }

  #control(final: string, raw: string): void {
    const params = raw.split(/[;:]/).map((part) => Number.parseInt(part, 10) || 0)
    const count = Math.max(1, params[0] ?? 1)
    if (final === 'm') this.#style = raw.startsWith('?') ? this.#style : restyle(this.#style, params)
    else if (final === 'K') this.#erase(params[0] ?? 0)
    else if (final === 'C') this.#column = Math.min(widestLine, this.#column + count)
    else if (final === 'D') this.#column = Math.max(0, this.#column - count)
    else if (final === 'G') this.#column = Math.min(widestLine, count - 1)
    else if (final === 'A' || final === 'F') this.#move(-count, final === 'F')
    else if (final === 'B' || final === 'E') this.#move(count, final === 'E')
  }

  #erase(mode: number): void {
    if (mode === 2) this.#cells = []
    else if (mode === 0) this.#cells.length = Math.min(this.#cells.length, this.#column)
    else this.#cells = this.#cells.map((cell, i) => (i <= this.#column ? { char: ' ', style: plain } : cell))
  }

  #move(by: number, toStart: boolean): void {
    this.#freeze()
    this.#row = Math.max(0, Math.min(this.lines.length - 1, this.#row + by))
    const line = this.lines[this.#row]
    this.#cells = line === undefined ? [] : cellsOf(line)
    if (toStart) this.#column = 0
  }

  #newLine(): void {
    this.#freeze()
    this.#column = 0
    if (this.#row < this.lines.length - 1) {
      this.#move(1, true)
      return
    }
    this.#openLine()
  }

  #openLine(): void {
    this.lines.push({ id: this.#nextId++, runs: [], step: null })
    this.#row = this.lines.length - 1
    this.#cells = []
  }

  #freeze(): void {
    const line = this.lines[this.#row]
    if (line === undefined) return
    const runs = runsOf(this.#cells)
    const step = stepMark.exec(runs.map((run) => run.text).join(''))
    this.lines[this.#row] = { id: line.id, runs, step: step?.[1] ?? null }
  }

  #trim(): void {
    const extra = this.lines.length - this.#keep
    if (extra <= 0) return
    this.lines = this.lines.slice(extra)
    this.dropped += extra
    this.#row = Math.max(0, this.#row - extra)
  }
}
