import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { inPage } from './in-page'

/**
 * Everything axe finds wrong with what the page shows, one line for each element.
 * The page's policy loads no script of others, so that of axe is evaluated from outside.
 */
export async function violations(page: Page): Promise<string[]> {
  if (!(await inPage<boolean>(page, `return 'axe' in window`))) await page.evaluate(axe.source)
  return await inPage(
    page,
    `const { violations } = await axe.run(document, { resultTypes: ['violations'] })
     return violations.flatMap(({ id, nodes }) =>
       nodes.map((node) => id + ': ' + node.target.join(' ') + ': ' + node.failureSummary))`
  )
}

export interface FocusStop {
  readonly testid: string | null
  /** Enough to find it in the source. */
  readonly what: string
  /** False where the keyboard's user cannot see where he is. */
  readonly visible: boolean
}

const stop = `const element = document.activeElement
  if (element === null || element === document.body) return null
  const { x, y, width, height } = element.getBoundingClientRect()
  return {
    testid: element.getAttribute('data-testid'),
    what: element.outerHTML.slice(0, 160),
    box: { x, y, width, height },
    view: { width: innerWidth, height: innerHeight }
  }`

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What has the keyboard's focus. Whether that can be seen is seen: by what changes on the screen without it. */
export async function focusStop(page: Page): Promise<FocusStop | null> {
  const found = await inPage<{
    readonly testid: string | null
    readonly what: string
    readonly box: Box
    readonly view: { readonly width: number; readonly height: number }
  } | null>(page, stop)
  if (found === null) return null
  const clip = around(found.box, found.view)
  const look = () => page.screenshot({ ...(clip && { clip }), animations: 'disabled' })
  const focused = await look()
  await inPage(page, `window.wasFocused = document.activeElement; window.wasFocused.blur()`)
  const blurred = await look()
  await inPage(page, `window.wasFocused.focus({ focusVisible: true, preventScroll: true })`)
  return { testid: found.testid, what: found.what, visible: clip !== null && !focused.equals(blurred) }
}

/** The box and what is drawn around it, as far as it is in the window; null where it is outside. */
function around({ x, y, width, height }: Box, view: { readonly width: number; readonly height: number }) {
  const margin = 12
  const left = Math.max(0, x - margin)
  const top = Math.max(0, y - margin)
  const right = Math.min(view.width, x + width + margin)
  const bottom = Math.min(view.height, y + height + margin)
  return right - left > 2 * margin && bottom - top > 2 * margin
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : null
}
