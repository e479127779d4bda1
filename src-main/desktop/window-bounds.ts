import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the window was; without a place the system chooses one. */
export interface WindowBounds {
  readonly width: number
  readonly height: number
  readonly x?: number
  readonly y?: number
  readonly maximized: boolean
}

export const smallest = { width: 900, height: 600 }
const usual: WindowBounds = { width: 1200, height: 800, maximized: false }

const fileOf = (home: string) => join(home, 'window.json')

/** The window's last place, or the usual one if that cannot be read or is on a screen that is no longer there. */
export function readBounds(home: string, screens: readonly Rectangle[]): WindowBounds {
  const saved = readSaved(fileOf(home))
  if (!saved) return usual
  return screens.some((screen) => isReachable(saved, screen))
    ? saved
    : { ...usual, maximized: saved.maximized }
}

/** Keeps the window's place; failing to does not matter enough to be told. */
export function saveBounds(home: string, bounds: Rectangle & { readonly maximized: boolean }): void {
  const file = fileOf(home)
  try {
    writeFileSync(`${file}.new`, JSON.stringify(bounds), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    // The window opens in its usual place next time.
  }
}

/** Checked by hand: the window opens before the schemas of everything else are read. */
function readSaved(file: string): (Rectangle & { readonly maximized: boolean }) | null {
  try {
    const saved: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof saved !== 'object' || saved === null) return null
    const { x, y, width, height, maximized } = saved as Readonly<Record<string, unknown>>
    return isPixel(x) &&
      isPixel(y) &&
      isPixel(width, smallest.width) &&
      isPixel(height, smallest.height) &&
      typeof maximized === 'boolean'
      ? { x, y, width, height, maximized }
      : null
  } catch {
    return null
  }
}

const isPixel = (value: unknown, least = -100_000): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 100_000

/** Enough of the window's upper edge is on the screen to take hold of it. Pixels. */
function isReachable(window: Rectangle, screen: Rectangle): boolean {
  const shown = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  return shown >= 120 && window.y >= screen.y - 10 && window.y <= screen.y + screen.height - 60
}
