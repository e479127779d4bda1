import { NeedsInput } from './recording'

export type Sink = (text: string) => void

/** What a program reads; reading before it has ended asks for the command to be evaluated again later. */
export class Input {
  private rest: string | null

  constructor(text: string | null) {
    this.rest = text
  }

  all(): string {
    if (this.rest === null) throw new NeedsInput()
    const text = this.rest
    this.rest = ''
    return text
  }

  /** The next line without its end, null when there is none. */
  line(): string | null {
    if (this.rest === null) throw new NeedsInput()
    if (this.rest === '') return null
    const end = this.rest.indexOf('\n')
    const text = end < 0 ? this.rest : this.rest.slice(0, end)
    this.rest = end < 0 ? '' : this.rest.slice(end + 1)
    return text
  }
}

export interface Io {
  readonly input: Input
  readonly out: Sink
  readonly err: Sink
}

/** A sink that keeps what it is given. */
export function collector(): { readonly sink: Sink; text(): string } {
  const parts: string[] = []
  return { sink: (text) => void parts.push(text), text: () => parts.join('') }
}
