import { expect, describe, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { records } from '../support/records'

const sentence =
  "deploy TypeType on strong as an LXC; it's github.com/Priveetee/TypeType, use tube.hubris.network"
const long = { timeout: 90_000 }

interface Row {
  readonly action: string
  readonly target: string
  readonly state: string
}
const executionsIn = (home: string) =>
  records<Row>(home, 'SELECT action, target, state FROM executions ORDER BY requested_at, id')

async function inTheLab(home?: string) {
  const app = await launchApp(home === undefined ? {} : { home })
  const chat = new Chat(app.page)
  if (home === undefined) await chat.exploreLab()
  return { app, chat, page: app.page }
}

/** Scene 1 and 2: from the sentence to a plan that waits. */
async function askForTypeType(chat: Chat) {
  await chat.say(sentence)
  await chat.plan('awaiting_approval').waitFor(long)
}

/** Scene 5: the goal is reached and told. */
async function expectDeployed(chat: Chat, home: string) {
  await chat.answerWith('TypeType runs').last().waitFor(long)
  const rows = executionsIn(home)
  expect(rows.filter((row) => row.action === 'pct_create')).toEqual([
    { action: 'pct_create', target: expect.stringContaining('lxc:typetype') as string, state: 'succeeded' }
  ])
  expect(rows.filter((row) => row.state === 'failed')).toHaveLength(1)
  expect(rows.filter((row) => row.state === 'succeeded')).toHaveLength(6)
  const open = records(home, `SELECT id FROM continuations WHERE state <> 'delivered'`)
  expect(open).toEqual([])
}

describe('the main job: deploy TypeType as a container', () => {
  it('scenes 1 to 5: from a sentence, over a typed assent, to a verified address', async () => {
    const { app, chat, page } = await inTheLab()
    await chat.say(sentence)
    await chat.messages('[data-role="user"]').filter({ hasText: 'deploy TypeType' }).waitFor()
    const group = chat.groups().first()
    await group.waitFor()
    expect(await group.getAttribute('data-open')).toBe('false')

    await chat.plan('awaiting_approval').waitFor(long)
    await chat.groups('done').first().waitFor()
    const commands = await chat.plan('awaiting_approval').getByTestId('approval-commands').allInnerTexts()
    expect(commands.join('\n')).toContain('pct create')
    expect(commands.join('\n')).toContain('tube.hubris.network')

    await chat.say('run all yourself')
    await chat.plan('approved').waitFor()
    await expect.poll(async () => await chat.window().innerText()).toMatch(/(30:00|29:\d\d)/)
    await chat.executions('running').first().waitFor(long)
    await expect
      .poll(async () => await page.getByTestId('execution-output').first().innerText(), long)
      .toContain('extracting archive')

    await chat.continuations().first().waitFor(long)
    await expectDeployed(chat, app.home)
    expect(records(app.home, `SELECT route FROM approvals WHERE subject_kind = 'plan'`)).toEqual([
      { route: 'chat_assent' }
    ])
    expect(await chat.messages('[data-role="user"]').count()).toBe(2)

    await page.getByTestId('nav-fleet').click()
    await page.getByTestId('lxc-row').filter({ hasText: 'typetype' }).waitFor()
    await app.close()
  })

  it('the button on the card does what the typed assent does', async () => {
    const { app, chat } = await inTheLab()
    await askForTypeType(chat)
    const approve = chat.plan('awaiting_approval').getByTestId('approval-approve')
    expect(await approve.isEnabled()).toBe(false)
    await chat.readToTheEnd(chat.plan('awaiting_approval'))
    await approve.click()
    await chat.plan('approved').waitFor()
    await expectDeployed(chat, app.home)
    expect(records(app.home, `SELECT route FROM approvals WHERE subject_kind = 'plan'`)).toEqual([
      { route: 'chat' }
    ])
    await app.close()
  })
})

describe('scene 6: destroy the old test container', () => {
  it('shuts it down first, asks on its own, reads the failure, tries again and verifies', async () => {
    const { app, chat } = await inTheLab()
    await chat.say('destroy the old test container')
    await chat
      .approval('awaiting_approval')
      .filter({ hasText: /shut ?down/i })
      .getByTestId('approval-approve')
      .click(long)

    for (let round = 1; round <= 2; round++) {
      const card = chat.approval('awaiting_approval').filter({ hasText: /destroy/i })
      await card.waitFor(long)
      expect(await card.innerText()).toContain('old-test')
      expect(await card.innerText()).toContain('110')
      expect(await card.getByTestId('approval-approve').isEnabled()).toBe(false)
      await card
        .getByRole('textbox', { name: /old-test|name/i })
        .first()
        .fill('old-test')
      await card.getByTestId('approval-approve').click()
    }

    await chat.answerWith('old-test is destroyed.').last().waitFor(long)
    const rows = executionsIn(app.home)
    expect(rows.filter((row) => row.action === 'pct_destroy').map((row) => row.state)).toEqual([
      'failed',
      'succeeded'
    ])
    expect(rows.filter((row) => row.action === 'pct_shutdown').map((row) => row.state)).toEqual([
      'succeeded',
      'succeeded'
    ])
    expect(
      records(
        app.home,
        `SELECT DISTINCT route FROM approvals WHERE risk = 'destructive' AND state = 'approved'`
      )
    ).toEqual([{ route: 'chat' }])
    await app.close()
  })
})

describe('scene 7: a model that answers nothing', () => {
  it('F40: leaves an explanation and an offer to go on, never a blank message', async () => {
    const { app, chat, page } = await inTheLab()
    await chat.say('restart caddy and then answer empty twice in the continuation')
    await chat.approval('awaiting_approval').getByTestId('approval-approve').click(long)
    const message = chat.continuations().last()
    await message.getByTestId('notice').waitFor(long)
    expect(await message.getAttribute('data-state')).toBe('error')
    expect(await message.innerText()).toMatch(/answered with nothing/)
    expect(await message.getByRole('button').count()).toBeGreaterThan(0)
    for (const answer of await chat.answers().all()) expect((await answer.innerText()).trim()).not.toBe('')
    expect(await page.getByTestId('composer-input').isEnabled()).toBe(true)
    await app.close()
  })
})

describe('scene 8: the app is closed while the container is created', () => {
  it.each(['closed', 'killed'] as const)(
    '%s in the middle and opened again, the job is found and the work goes on',
    async (how) => {
      const { app, chat } = await inTheLab()
      await askForTypeType(chat)
      await chat.say('run all yourself')
      await chat.executions('running').first().waitFor(long)
      await (how === 'killed' ? app.kill() : app.close())

      const again = await inTheLab(app.home)
      await expectDeployed(again.chat, app.home)
      expect(records(app.home, `SELECT count(*) AS n FROM continuations WHERE attempts > 3`)).toEqual([
        { n: 0 }
      ])
      await again.app.close()
    }
  )
})
