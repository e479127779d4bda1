import { join } from 'node:path'
import { rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { inPage } from '../support/in-page'
import { tempFolder } from '../support/temp'

const patch = `--- a/etc/hosts
+++ b/etc/hosts
@@ -1,2 +1,2 @@
 127.0.0.1 localhost
-192.0.2.5 strong
+192.0.2.6 strong
`

it('a large paste and a dropped file go beside the message, are opened, found and sent again', async () => {
  const { page } = await launchApp()
  const chat = new Chat(page)
  await chat.exploreLab()
  const file = join(tempFolder(), 'hosts.patch')
  writeFileSync(file, patch)
  const held = page.locator('form').getByTestId('attachment')

  await page.getByTestId('composer-input').focus()
  await inPage(
    page,
    `const data = new DataTransfer()
     data.setData('text/plain', 'quincunx is down\\n'.repeat(300))
     document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))`
  )
  expect(await held.innerText()).toMatch(/Pasted text 1[\s\S]*300 lines/)
  expect(await page.getByTestId('composer-input').inputValue()).toBe('')
  await page.getByTestId('composer-files').setInputFiles(file)
  await held.filter({ hasText: 'hosts.patch' }).getByRole('button').first().click()
  const diff = page.getByTestId('diff')
  await diff.getByText('192.0.2.6 strong').waitFor()
  expect(await diff.innerText()).toMatch(/\+1[\s\S]*−1/)
  await page.keyboard.press('Escape')

  await chat.say('say hello')
  await chat.answerWith('Hello!').waitFor()
  const sent = chat.messages('[data-role="user"]').first()
  expect(await sent.getByTestId('attachment').count()).toBe(2)
  expect(await held.count()).toBe(0)
  await sent.getByTestId('attachment').first().getByRole('button').first().click()
  await page.getByRole('dialog').getByText('quincunx is down').first().waitFor()
  await page.keyboard.press('Escape')

  await page.getByPlaceholder('Search sessions').fill('quincunx')
  await page.getByTestId('search-hit').first().waitFor()
  await sent.hover()
  await sent.getByRole('button', { name: 'Edit and send again' }).click()
  await held.nth(1).waitFor()
  expect(await page.getByTestId('composer-input').inputValue()).toBe('say hello')
})

it('a huge paste, a NUL, half a character, a file that vanishes and fifty files: each with a clear result', async () => {
  const app = await launchApp()
  const { page } = app
  const chat = new Chat(page)
  await chat.exploreLab()
  const held = page.locator('form').getByTestId('attachment')
  const problem = page.locator('main').getByRole('alert')
  const paste = (text: string) =>
    inPage(
      page,
      `document.querySelector('[data-testid=composer-input]').focus()
       const data = new DataTransfer()
       data.setData('text/plain', ${text})
       document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))`
    )
  const drop = (files: string) =>
    inPage(
      page,
      `const data = new DataTransfer()
       for (const file of ${files}) data.items.add(file)
       document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))`
    )

  await paste(`'x'.repeat(10_000_000)`)
  await problem.getByText('at most 1,000,000 characters').waitFor()
  expect(await held.count()).toBe(0)
  expect(await page.getByTestId('composer-input').inputValue()).toBe('')

  await drop(`[new File([new Uint8Array([65, 0, 66])], 'core.dump')]`)
  await problem.getByText('“core.dump” is not a text').waitFor()

  const vanishing = join(tempFolder(), 'rotated.log')
  writeFileSync(vanishing, 'was here')
  await inPage(
    page,
    `const input = document.querySelector('[data-testid=composer-files]')
     input.addEventListener('change', (event) => {
       event.stopImmediatePropagation()
       window.chosen = [...input.files]
     }, { capture: true, once: true })`
  )
  await page.getByTestId('composer-files').setInputFiles(vanishing)
  rmSync(vanishing)
  await drop('window.chosen')
  await problem.getByText('“rotated.log” could not be read').waitFor()
  await app.screenshot('attachment-refused')

  await drop(`Array.from({ length: 50 }, (_, n) => new File(['line ' + n], 'f' + n + '.log'))`)
  await problem.getByText('40 files were not attached').waitFor()
  expect(await held.count()).toBe(10)
  await app.screenshot('attachments-fifty')

  // What is no character anywhere is shown as such, and the message goes through.
  await page.getByTestId('composer-input').fill('say hello \ud83d and \u0000')
  await page.getByTestId('composer-send').click()
  await chat.answerWith('Hello!').waitFor()
  const sent = chat.messages('[data-role="user"]').first()
  expect(await sent.innerText()).toContain('say hello \ufffd and \ufffd')
  expect(await sent.getByTestId('attachment').count()).toBe(10)
  expect(app.problems).toEqual([])
})
