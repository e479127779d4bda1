import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

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

const pixel = z.number().int().min(-100_000).max(100_000)
const savedSchema = z.object({
  x: pixel,
  y: pixel,
  width: pixel.min(smallest.width),
  height: pixel.min(smallest.height),
  maximized: z.boolean()
})

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

function readSaved(file: string) {
  try {
    return savedSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}

/** Enough of the window's upper edge is on the screen to take hold of it. Pixels. */
function isReachable(window: Rectangle, screen: Rectangle): boolean {
  const shown = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  return shown >= 120 && window.y >= screen.y - 10 && window.y <= screen.y + screen.height - 60
}
