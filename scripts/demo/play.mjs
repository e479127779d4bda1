/** Uses the app as an operator would: one sentence, one assent, and then only looks. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from 'playwright-core'
import { inRoot, root } from '../lib/paths.mjs'

const sentence =
  "deploy TypeType on strong as an LXC; it's github.com/Priveetee/TypeType, use tube.hubris.network"
const results = inRoot('test-results/demo')
const patience = 120_000

const home = mkdtempSync(join(tmpdir(), 'nomos-demo-'))
const app = await _electron.launch({
  executablePath: process.argv[2],
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root],
  cwd: root,
  env: { ...process.env, NOMOS_HOME: home, NOMOS_LAB_PACE: process.env.NOMOS_LAB_PACE ?? '0.5' }
})

const started = performance.now()
const say = (text) =>
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)

try {
  mkdirSync(results, { recursive: true })
  const page = await app.firstWindow()
  page.setDefaultTimeout(patience)
  let picture = 0
  const look = async (name) => {
    picture++
    await page.screenshot({ path: join(results, `${String(picture).padStart(2, '0')}-${name}.png`) })
  }

  await page.getByTestId('explore-lab').waitFor()
  await look('first-start')
  await page.getByTestId('explore-lab').click()
  say('The lab runs: two nodes, reached over SSH.')

  await page.getByTestId('composer-input').fill(sentence)
  await page.getByTestId('composer-send').click()
  say(`Operator: ${sentence}`)
  await page.getByTestId('tool-group').first().waitFor()
  await look('it-looks')
  const plan = page.locator('[data-testid="plan-card"][data-state="awaiting_approval"]')
  await plan.waitFor()
  say('The agent has looked at the fleet, read the README and proposes a plan:')
  for (const line of (await plan.getByTestId('approval-commands').allInnerTexts()).join('\n').split('\n'))
    if (line.trim()) process.stdout.write(`            ${line.trim()}\n`)
  await look('the-plan-waits')

  await page.getByTestId('composer-input').fill('run all yourself')
  await page.getByTestId('composer-send').click()
  say('Operator: run all yourself')
  await page.locator('[data-testid="plan-card"][data-state="approved"]').waitFor()
  const running = page.locator('[data-testid="execution-row"][data-state="running"]').first()
  await running.waitFor()
  say('Approved by the typed assent. The first execution runs as a job on the host.')
  await look('an-execution-runs')

  await page.locator('[data-testid="message"][data-kind="continuation"]').first().waitFor()
  say('Its result came, and the agent goes on by itself. Nobody types anything from here on.')
  await look('it-goes-on-by-itself')
  const report = page
    .locator('[data-testid="message"][data-role="assistant"][data-state="done"]')
    .filter({ hasText: 'TypeType runs' })
    .last()
  await report.waitFor()
  say('The goal is reached. What the agent reports:')
  for (const line of (await report.innerText()).split('\n'))
    if (line.trim()) process.stdout.write(`            ${line.trim()}\n`)
  await look('verified')

  await page.getByTestId('nav-ops').click()
  await page.getByTestId('execution-row').first().waitFor()
  await look('executions')
  await page.getByTestId('nav-fleet').click()
  await page.getByTestId('lxc-row').filter({ hasText: 'typetype' }).waitFor()
  say('The fleet shows the container typetype.')
  await look('fleet')
  say(`Done. Screenshots are in ${results}.`)
} finally {
  await app.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
