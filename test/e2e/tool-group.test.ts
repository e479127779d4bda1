import { describe, expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'

const patience = { timeout: 90_000 }

describe('the tool group', () => {
  it('40 calls are one collapsed header, a failed one is told in it, and opening it shows each call whole', async () => {
    const app = await launchApp()
    const chat = new Chat(app.page)
    await chat.exploreLab()
    await chat.say('check every container, with one failure')
    const group = chat.groups().first()
    await group.waitFor(patience)
    expect(await group.getAttribute('data-open')).toBe('false')
    expect((await group.boundingBox())?.height).toBe(36)

    await chat.answerWith('calls** over').or(chat.answerWith('calls over')).first().waitFor(patience)
    expect(await chat.groups().count()).toBe(1)
    expect(await group.getAttribute('data-state')).toBe('failed')
    expect(await group.getAttribute('data-total')).toBe('40')
    expect(await group.getAttribute('data-done')).toBe('40')
    expect(await group.getAttribute('data-open')).toBe('false')
    expect((await group.boundingBox())?.height).toBe(36)
    expect(await group.getByTestId('tool-group-status').innerText()).toMatch(/1 of 40 failed.*ghost/)
    expect(await group.getByTestId('tool-call').count()).toBe(0)

    await group.getByTestId('tool-group-toggle').click()
    expect(await group.getAttribute('data-open')).toBe('true')
    const calls = group.getByTestId('tool-call')
    await expect.poll(() => calls.count()).toBe(40)
    const first = calls.first()
    expect(await first.innerText()).toMatch(/list_lxcs[\s\S]*\d+(\.\d+)? ?(ms|s)[\s\S]*done/)
    await first.getByRole('button').first().click()
    await expect.poll(() => first.innerText()).toContain('pihole')
    const failed = group.locator('[data-testid="tool-call"][data-state="failed"]')
    await failed.getByRole('button').first().click()
    await expect.poll(() => failed.innerText()).toMatch(/ghost[\s\S]*target_not_found|not found|no .*ghost/i)
    await app.close()
  })

  it('a call that had no result when the app was killed is interrupted, never a tick, and history is collapsed', async () => {
    const app = await launchApp({ env: { NOMOS_LAB_PACE: '1' } })
    const chat = new Chat(app.page)
    await chat.exploreLab()
    await chat.say('check every container one by one')
    await expect
      .poll(async () => Number(await chat.groups().first().getAttribute('data-done')), patience)
      .toBeGreaterThan(3)
    await app.kill()

    const again = await launchApp({ home: app.home, env: { NOMOS_LAB_PACE: '0.1' } })
    const after = new Chat(again.page)
    await after.answerWith(/calls/).first().waitFor(patience)
    for (const group of await after.groups().all()) {
      expect(await group.getAttribute('data-open')).toBe('false')
      expect(['done', 'failed']).toContain(await group.getAttribute('data-state'))
    }
    await again.close()
  })
})
