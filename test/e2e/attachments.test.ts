import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
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
