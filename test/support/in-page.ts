import type { Page } from 'playwright-core'
import type { Reply, RouteInput, RouteName, RouteOutput } from '../../src-preload/contract'

/**
 * Runs a function's body inside the page and gives what it returns. It is text, because the tests are typed for Node,
 * where there is no document and no window.
 */
export async function inPage<T>(page: Page, body: string): Promise<T> {
  return await page.evaluate(`(async () => { ${body} })()`)
}

/** Asks the main process as the page does. */
export async function ask<R extends RouteName>(
  page: Page,
  route: R,
  input: RouteInput<R>
): Promise<Reply<RouteOutput<R>>> {
  return await inPage(
    page,
    `return await window.nomos.request(${JSON.stringify(route)}, ${JSON.stringify(input)})`
  )
}
