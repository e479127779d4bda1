import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { records } from '../support/records'
import { tempFolder } from '../support/temp'
import { figure, spread } from './support/figures'
import { writeExecutions, writeHome } from './support/large-home'
import { clickUntil, settle } from './support/page'

const executions = 1_000
const windows = 5
const rounds = 20

it('the Ops page with 1,000 executions in the history', async () => {
  const home = join(tempFolder(), 'home')
  writeHome(home, { lab: true }, (store) => writeExecutions(store, executions))
  expect(records(home, 'SELECT count(*) AS n FROM executions')).toEqual([{ n: executions }])
  // As many rows as reach beyond the lower edge of the window; the rest of the first 50 follows unseen.
  const filled = `(() => {
    const rows = document.querySelectorAll('[data-testid="execution-row"]')
    const last = rows[rows.length - 1]
    return last !== undefined && last.getBoundingClientRect().bottom > innerHeight
  })()`
  const all = `document.querySelectorAll('[data-testid="execution-row"]').length >= 50`
  /** Opens it in a fresh window, the moment that has its composer or when the start is over. */
  const openAnew = async (settled: boolean) => {
    const launched = await launchApp({ home })
    await launched.page.getByTestId('composer-input').waitFor()
    if (settled) await settle(launched.page)
    return { ...launched, took: await clickUntil(launched.page, '[data-testid="nav-ops"]', filled) }
  }
  const first: Record<'settled' | 'begun', number[]> = { settled: [], begun: [] }
  for (let window = 0; window < windows; window++)
    for (const state of ['settled', 'begun'] as const) {
      const { took, close } = await openAnew(state === 'settled')
      first[state].push(took)
      await close()
    }

  const { page, close } = await openAnew(true)
  const again: number[] = []
  const whole: number[] = []
  for (let round = 0; round < rounds; round++) {
    await clickUntil(
      page,
      '[data-testid="nav-chat"]',
      `document.querySelector('[data-testid="execution-row"]') === null`
    )
    again.push(await clickUntil(page, '[data-testid="nav-ops"]', filled))
    await page.getByTestId('execution-row').nth(49).waitFor()
    await clickUntil(
      page,
      '[data-testid="nav-chat"]',
      `document.querySelector('[data-testid="execution-row"]') === null`
    )
    whole.push(await clickUntil(page, '[data-testid="nav-ops"]', all))
  }
  figure('Ops page, 1,000 executions, opened for the first time', spread(first.settled), '100 ms')
  figure('Ops page, 1,000 executions, the same while the app still starts', spread(first.begun), '100 ms')
  figure('Ops page, 1,000 executions, opened again', spread(again), '100 ms')
  figure('Ops page, all of the first 50 rows, also those below the window', spread(whole))
  await close()
})
