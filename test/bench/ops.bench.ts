import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { records } from '../support/records'
import { tempFolder } from '../support/temp'
import { figure, ms, spread } from './support/figures'
import { writeExecutions, writeHome } from './support/large-home'
import { clickUntil } from './support/page'

const executions = 1_000
const rounds = 20

it('the Ops page with 1,000 executions in the history', async () => {
  const home = join(tempFolder(), 'home')
  writeHome(home, { lab: true }, (store) => writeExecutions(store, executions))
  expect(records(home, 'SELECT count(*) AS n FROM executions')).toEqual([{ n: executions }])
  const { page, close } = await launchApp({ home })
  await page.getByTestId('composer-input').waitFor()

  // As many rows as reach beyond the lower edge of the window; the rest of the first 50 follows unseen.
  const filled = `(() => {
    const rows = document.querySelectorAll('[data-testid="execution-row"]')
    const last = rows[rows.length - 1]
    return last !== undefined && last.getBoundingClientRect().bottom > innerHeight
  })()`
  const all = `document.querySelectorAll('[data-testid="execution-row"]').length >= 50`
  const first = await clickUntil(page, '[data-testid="nav-ops"]', filled)
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
  figure('Ops page, 1,000 executions, opened for the first time', ms(first), '100 ms')
  figure('Ops page, 1,000 executions, opened again', spread(again), '100 ms')
  figure('Ops page, all of the first 50 rows, also those below the window', spread(whole))
  await close()
})
