import type { NomosEvent } from '../../src-preload/contract'

const code = 'disk_refuses'

/** What SQLite calls a disk that takes no writes: full, broken, or mounted read-only (sqlite.org/rescode.html). */
const refusals: readonly [RegExp, string][] = [
  [/^SQLITE_FULL/, 'The disk is full: nothing can be saved. Make some room; work goes on by itself then.'],
  [/^SQLITE_IOERR/, 'The disk reports an error: nothing can be saved. Work goes on by itself when it can.'],
  [
    /^SQLITE_(READONLY|CANTOPEN)/,
    'The disk cannot be written to: nothing can be saved. Work goes on by itself when it can.'
  ]
]

/** Tells the windows that nothing can be saved, and that it can be again. */
export class DiskBanner {
  private shown = false

  constructor(private readonly show: (event: NomosEvent) => void) {}

  /** Says it at every failure: a window that has been opened meanwhile has to hear of it, too. */
  failed(error: unknown): void {
    const message = refusals.find(([pattern]) => pattern.test(codeOf(error)))?.[1]
    if (message === undefined) return
    this.shown = true
    this.show({ type: 'banner', code, message, gone: false })
  }

  wrote(): void {
    if (!this.shown) return
    this.shown = false
    this.show({ type: 'banner', code, message: '', gone: true })
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
