import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { newId } from '../../src-main/base/ids'
import type { Store } from '../../src-main/store/store'
import { writeHome } from '../bench/support/large-home'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { inPage } from '../support/in-page'
import { tempFolder } from '../support/temp'

const host = 'a-node-with-a-name-of-sixty-characters-in-the-basement-rack-7'
const guest = 'matrix-synapse-and-element-web-behind-caddy-with-postgres-16'
const title = `Create container ${guest} (20000105) on ${host}`
const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'
const answer = `## ${word.repeat(4)}

A line with \`${'/very/long/path'.repeat(14)}\` and https://example.invalid/${'a'.repeat(180)}.

| guest | ${word} | state |
|---|---|---|
| ${guest} | ${'x'.repeat(90)} | running |

- ${word.repeat(3)}
  1. ${'nested '.repeat(40)}

\`\`\`sh
pct exec 105 -- ${'--option=value '.repeat(30)}
\`\`\``

/** A session in which a decision with 200 long commands waits, and everything has a long name. */
function writeLongSession({ db }: Store): void {
  const [session, asked, answered, execution, approval] = [newId(), newId(), newId(), newId(), newId()]
  const now = Date.now()
  const commands = Array.from({ length: 200 }, (_, n) => {
    const argv = [
      'pct',
      'exec',
      '105',
      '--',
      'sh',
      '-c',
      `echo ${n} ${guest}\nlogger ${'-t nomos '.repeat(12)}`
    ]
    return { step: n < 100 ? 'preflight-of-everything' : 'create', argv, text: argv.join(' ') }
  })
  const message = db.prepare(
    `INSERT INTO messages (id, session_id, seq, role, kind, state, created_at, finished_at) VALUES (?, ?, ?, ?, 'turn', 'done', ?, ?)`
  )
  const part = db.prepare(
    'INSERT INTO message_parts (message_id, idx, step, type, text, ref) VALUES (?, ?, 0, ?, ?, ?)'
  )
  db.transaction(() => {
    db.prepare(
      `INSERT INTO sessions (id, title, state, created_at, updated_at) VALUES (?, ?, 'waiting', ?, ?)`
    ).run(session, `${title} `.repeat(3).slice(0, 300), now, now)
    message.run(asked, session, 1, 'user', now, now)
    part.run(asked, 0, 'text', `${word.repeat(8)} ${'please '.repeat(60)}`, null)
    message.run(answered, session, 2, 'assistant', now, now)
    part.run(answered, 0, 'text', answer, null)
    part.run(answered, 1, 'approval', '', execution)
    db.prepare(
      `INSERT INTO executions (id, session_id, origin, action, target, host, cluster, vmid, guest_name, title, params, facts,
         risk, commands, why, undo, hash, state, requested_at)
       VALUES (?, ?, 'agent', 'pct_create', ?, ?, 'c', 20000105, ?, ?, '{}', '{}', 'config_mutation', ?, ?, ?, ?, 'awaiting_approval', ?)`
    ).run(
      execution,
      session,
      `lxc:${guest}@${host}`,
      host,
      guest,
      title,
      JSON.stringify(commands),
      `${word} `.repeat(20),
      `pct_destroy lxc:${guest}@${host} removes it again.`,
      'f'.repeat(64),
      now
    )
    db.prepare(
      `INSERT INTO approvals (id, subject_kind, subject_id, session_id, hash, risk, rule, state, requested_at, expires_at)
       VALUES (?, 'execution', ?, ?, ?, 'config_mutation', ?, 'awaiting_approval', ?, ?)`
    ).run(
      approval,
      execution,
      session,
      'f'.repeat(64),
      `By default changes of ${host} ask.`,
      now,
      now + 300_000
    )
  })()
}

/** What reaches beyond the window or its own box, where nothing lets one scroll to it. */
const overflowing = (page: Page): Promise<string[]> =>
  inPage<string[]>(
    page,
    `const found = []
     if (document.documentElement.scrollWidth > innerWidth) found.push('the window')
     for (const element of document.querySelectorAll('main *, aside *, header *')) {
       const box = element.getBoundingClientRect()
       if (box.width === 0 || element.closest('.unseen') || element.closest('svg')) continue
       let scrolls = false
       for (let up = element.parentElement; up !== null; up = up.parentElement) {
         const { overflowX } = getComputedStyle(up)
         if (overflowX === 'auto' || overflowX === 'scroll' || overflowX === 'hidden') { scrolls = up.scrollWidth > 0; break }
       }
       if (!scrolls && box.right > innerWidth + 1) found.push(element.className + ': ' + element.textContent.slice(0, 40))
     }
     const log = document.querySelector('[role="log"]')
     if (log !== null && log.scrollWidth > log.clientWidth) found.push('the conversation')
     for (const button of document.querySelectorAll('main button')) {
       if (button.scrollWidth > button.clientWidth + 1 && getComputedStyle(button).overflow !== 'hidden' && button.querySelector('.cut') === null)
         found.push('button ' + button.textContent.trim())
     }
     return found`
  )

it.each([
  ['en', 1600, 1000, 1],
  ['en', 900, 600, 1],
  ['de', 1000, 700, 1],
  ['de', 1000, 700, 1.4],
  ['en', 900, 600, 1.4]
] as const)(
  'nothing runs out of its place with long texts: %s, %i×%i, zoom %d',
  async (language, width, height, zoom) => {
    const home = join(tempFolder(), 'home')
    writeHome(home, { appearance: { language } }, writeLongSession)
    const { app, page, screenshot } = await launchApp({ home })
    await app.evaluate(
      ({ BrowserWindow }, [w, h, z]) => {
        const [window] = BrowserWindow.getAllWindows()
        window?.setContentSize(w, h)
        window?.webContents.setZoomFactor(z)
      },
      [width, height, zoom] as const
    )
    const chat = new Chat(page)
    const card = chat.approval('awaiting_approval')
    await card.waitFor()
    expect(await card.getByTestId('approval-approve').isEnabled()).toBe(false)
    // The title is said in the window's language; the names in it are the host's.
    expect(await card.innerText()).toContain(language === 'de' ? 'Container anlegen' : title)
    for (const name of [guest, host]) expect(await card.innerText()).toContain(name)
    await screenshot(`long-${language}-${width}-${zoom}`)
    expect(await overflowing(page)).toEqual([])
    await chat.readToTheEnd(card)
    await expect.poll(() => card.getByTestId('approval-approve').isEnabled()).toBe(true)
    await page.locator('[role="log"]').evaluate((log) => (log.scrollTop = 0))
    await screenshot(`long-top-${language}-${width}-${zoom}`)
    expect(await overflowing(page)).toEqual([])
  }
)
