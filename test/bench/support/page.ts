import type { Page } from 'playwright-core'
import { inPage } from '../../support/in-page'

/** Milliseconds from a click on an element to the end of the frame in which the condition (an expression) holds. */
export const clickUntil = (page: Page, selector: string, condition: string): Promise<number> =>
  inPage<number>(
    page,
    `const element = document.querySelector(${JSON.stringify(selector)})
     const begun = performance.now()
     element.click()
     await new Promise((resolve) => {
       const look = () => {
         if (!(${condition})) return
         observer.disconnect()
         requestAnimationFrame(() => setTimeout(resolve))
       }
       const observer = new MutationObserver(look)
       observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
       look()
     })
     return performance.now() - begun`
  )

/** Waits until the page has nothing more to do after its start, as it is when a person has found the mouse. */
export const settle = (page: Page): Promise<void> =>
  inPage<void>(
    page,
    'await new Promise((resolve) => requestIdleCallback(resolve)); await new Promise((resolve) => setTimeout(resolve, 1000))'
  )

/** What a page was busy with: times between its frames and its tasks over 50 ms, in milliseconds. */
export interface Smoothness {
  readonly frames: readonly number[]
  readonly longTasks: readonly number[]
}

/** Begins to watch the page's frames and long tasks; the returned function tells what was seen since. */
export async function watchSmoothness(page: Page): Promise<() => Promise<Smoothness>> {
  await inPage(
    page,
    `const seen = { frames: [], longTasks: [] }
     const observer = new PerformanceObserver((list) => {
       for (const entry of list.getEntries()) seen.longTasks.push(entry.duration)
     })
     observer.observe({ type: 'longtask' })
     let last = performance.now()
     let watching = true
     const frame = (now) => {
       seen.frames.push(now - last)
       last = now
       if (watching) requestAnimationFrame(frame)
     }
     requestAnimationFrame((now) => {
       last = now
       requestAnimationFrame(frame)
     })
     window.endOfWatch = () => {
       watching = false
       observer.disconnect()
       return seen
     }`
  )
  return () => inPage<Smoothness>(page, 'return window.endOfWatch()')
}

/** The page's JavaScript heap after a collection, in bytes, and its number of DOM nodes. */
export async function sizeOf(page: Page): Promise<{ readonly heap: number; readonly nodes: number }> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('HeapProfiler.collectGarbage')
    await session.send('Performance.enable')
    const { metrics } = await session.send('Performance.getMetrics')
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
    return { heap: value('JSHeapUsedSize'), nodes: value('Nodes') }
  } finally {
    await session.detach()
  }
}

/** Begins to count what the page's main thread computes; the returned function tells how many milliseconds since. */
export async function watchComputing(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  // Of the processor and not of the clock: another program at work on the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const computed = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
  const before = await computed()
  return async () => {
    const spent = (await computed()) - before
    await session.detach()
    return spent
  }
}
