/** The play behind the pictures: a first start, a deployment, decisions, what fails, and a look at every page. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startForPictures } from './camera.mjs'

const deploy =
  "deploy TypeType on strong as an LXC; it's github.com/Priveetee/TypeType, use tube.hubris.network"
const note = `Backups of **strong** and **quiet** run at 02:00 to \`pbs\`.

| guest | kept |
|---|---|
| vaultwarden | 30 days |
| typetype | 7 days |

Before an upgrade of the node: take a snapshot of every container, shut down, then upgrade.
`

const patch = `--- a/etc/caddy/Caddyfile
+++ b/etc/caddy/Caddyfile
@@ -1,8 +1,11 @@
 {
-\tadmin off
+\tadmin localhost:2019
 \temail ops@hubris.network
 }
 
 tube.hubris.network {
-\treverse_proxy 192.168.1.105:3000
+\tencode zstd gzip
+\treverse_proxy 192.168.1.105:3000 {
+\t\thealth_uri /healthz
+\t}
 }
`
const log = 'Dec 01 10:00:00 caddy[81]: dial tcp 192.168.1.105:3000: connection refused\n'.repeat(120)

const [electron, size, folder] = process.argv.slice(2)
const [width, height] = size.split('x').map(Number)
const home = mkdtempSync(join(tmpdir(), 'nomos-images-'))
const { app, page, picture, resize } = await startForPictures({ electron, home, width, height, folder })

const card = (state) => page.locator(`[data-testid="approval-card"][data-state="${state}"]`)
const answer = (text) =>
  page
    .locator('[data-testid="message"][data-role="assistant"][data-state="done"]')
    .filter({ hasText: text })
    .last()
const say = async (text) => {
  await page.getByTestId('composer-input').fill(text)
  await page.getByTestId('composer-send').click()
}

async function firstStart() {
  await page.getByTestId('explore-lab').waitFor()
  await picture('first-start')
  await page.getByTestId('explore-lab').click()
  await page.getByTestId('composer-input').waitFor()
  await picture('chat-empty')
}

async function deployment() {
  await say(deploy)
  const plan = (state) => page.locator(`[data-testid="plan-card"][data-state="${state}"]`)
  await plan('awaiting_approval').waitFor()
  await picture('plan')
  await say('run all yourself')
  await page.getByText('extracting archive').first().waitFor()
  await picture('chat-busy')
  await answer('TypeType runs').waitFor()
  await resize(1440, 900)
  await picture('chat', ['light'])
  await resize(width, height)
}

async function look() {
  await page.getByTestId('session-new').click()
  await say('check every container')
  await page.locator('[data-testid="tool-group"][data-state="running"]').first().waitFor()
  await picture('scan')
}

/** A decision that is asked for, and one that was denied with a reason. */
async function decisions() {
  await page.getByTestId('session-new').click()
  await say('restart caddy')
  await card('awaiting_approval').waitFor()
  await picture('approval')
  await card('awaiting_approval').getByTestId('approval-reason').fill('Not while the backup runs.')
  await card('awaiting_approval').getByTestId('approval-deny').click()
  await answer('nothing was changed').waitFor()
  await picture('denied')
}

/** What tools gave, in its own form. */
async function outputs() {
  await page.getByTestId('session-new').click()
  await say('why is vaultwarden down?')
  await answer('is down').waitFor()
  await page.getByTestId('tool-group-toggle').last().click()
  await page.getByTestId('tool-call').last().getByRole('button').first().click()
  await page.getByTestId('tool-group').last().scrollIntoViewIfNeeded()
  await page.locator('[role="log"]').evaluate((node) => (node.scrollTop = 0))
  await picture('tool-output')
}

async function attachments() {
  await page.getByTestId('session-new').click()
  await page.getByTestId('composer-files').setInputFiles([
    { name: 'caddy.patch', mimeType: 'text/plain', buffer: Buffer.from(patch) },
    { name: 'caddy.log', mimeType: 'text/plain', buffer: Buffer.from(log) }
  ])
  await page.getByTestId('composer-input').fill('what is running?')
  await picture('attachments')
  await page.getByTestId('attachment').first().getByRole('button').first().click()
  await page.getByTestId('diff').waitFor()
  await picture('diff')
  await page.keyboard.press('Escape')
  await page.getByTestId('composer-send').click()
  await answer('are running').waitFor()
}

async function failure() {
  await page.getByTestId('session-new').click()
  await say('what is running? break off')
  await page.getByTestId('notice').waitFor()
  await picture('turn-failed')
  await page.getByTestId('session-new').click()
  await say('what is running? answer slowly')
  await page.getByTestId('composer-stop').waitFor()
  await say('and what uses the most memory?')
  await page.locator('[data-testid="message"][data-state="queued"]').waitFor()
  await picture('queued')
  await page.getByTestId('composer-stop').click()
}

async function destruction() {
  await page.getByTestId('session-new').click()
  await say('destroy the old test container')
  await card('awaiting_approval').getByTestId('approval-approve').click()
  await card('awaiting_approval').filter({ hasText: 'Destroy' }).waitFor()
  await picture('approval-destructive')
}

async function pages() {
  await page.getByTestId('nav-ops').click()
  await page.getByTestId('execution-row').first().waitFor()
  await picture('ops')
  await page.locator('label').filter({ hasText: 'Audit trail' }).click()
  await page.getByTestId('audit-row').first().waitFor()
  await picture('ops-audit')

  await page.getByTestId('nav-fleet').click()
  // One that has run for long: the use of the last hour is known.
  const row = page.getByTestId('lxc-row').filter({ hasText: 'jellyfin' })
  await row.waitFor()
  await picture('fleet')
  await row.click()
  await page.getByTestId('guest-config').waitFor()
  await picture('fleet-detail')
  await page.locator('[data-testid="tab"][data-id="services"]').click()
  await page.getByTestId('service-row').first().waitFor()
  await picture('fleet-services')
  await page.getByTestId('detail-back').click()
  await page.getByTestId('container-new').click()
  await page.getByTestId('action-form').waitFor()
  await picture('fleet-new-container')
  await page.keyboard.press('Escape')

  await page.getByTestId('nav-knowledge').click()
  await page.getByTestId('note-new').click()
  await page.getByTestId('note-title').fill('Backups and upgrades')
  await page.getByTestId('note-body').fill(note)
  await page.getByTestId('note-save').click()
  await picture('knowledge')

  await page.getByTestId('nav-settings').click()
  const sections = await page.locator('[data-testid^="settings-"]').all()
  for (const section of sections) {
    const name = await section.getAttribute('data-testid')
    await section.click()
    // It names folders of the machine the pictures are made on.
    if (name !== 'settings-about') await picture(name)
  }
  await page.getByTestId('nav-fleet').click()
  await page.keyboard.press('Control+k')
  await picture('palette')
}

try {
  await firstStart()
  await deployment()
  await look()
  await decisions()
  await outputs()
  await attachments()
  await failure()
  await destruction()
  await pages()
} finally {
  await app.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
