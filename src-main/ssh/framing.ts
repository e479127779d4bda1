import { quoteArgv } from '../base/quote'

/**
 * The command line for a host whose login shell prints something of its own first: the marker is printed right
 * before the command takes over.
 */
export const framedCommand = (marker: string, argv: readonly string[]): string =>
  quoteArgv(['/bin/sh', '-c', 'printf %s "$0"; exec "$@"', marker, ...argv])

/** Passes on what comes after the marker. */
export function afterMarker(
  marker: string,
  onward: (chunk: Buffer) => void | Promise<void>
): (chunk: Buffer) => void | Promise<void> {
  const wanted = Buffer.from(marker)
  let tail = Buffer.alloc(0)
  let found = false
  return (chunk) => {
    if (found) return onward(chunk)
    tail = Buffer.concat([tail, chunk])
    const at = tail.indexOf(wanted)
    if (at === -1) {
      tail = tail.subarray(Math.max(0, tail.length - wanted.length + 1))
      return undefined
    }
    found = true
    const rest = tail.subarray(at + wanted.length)
    tail = Buffer.alloc(0)
    return rest.length > 0 ? onward(rest) : undefined
  }
}
