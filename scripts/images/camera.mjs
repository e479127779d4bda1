import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { _electron } from 'playwright-core'
import { root } from '../lib/paths.mjs'

const patience = 60_000
/** After a change of theme, until colours have settled. Milliseconds. */
const settling = 200

/** Starts the app for taking pictures of it: nothing moves, and the theme is that of the picture. */
export async function startForPictures({ electron, home, width, height, folder }) {
  mkdirSync(folder, { recursive: true })
  const app = await _electron.launch({
    executablePath: electron,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root],
    cwd: root,
    env: { ...process.env, NOMOS_HOME: home, NOMOS_LAB_PACE: process.env.NOMOS_LAB_PACE ?? '0.6' }
  })
  const page = await app.firstWindow()
  page.setDefaultTimeout(patience)

  const resize = async (w, h) => {
    await app.evaluate(
      ({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0].setContentSize(w, h),
      [w, h]
    )
    await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [w, h])
  }
  await page.mouse.move(0, 0)
  const picture = async (name, themes = ['light', 'dark']) => {
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.waitForTimeout(settling)
      const suffix = theme === 'dark' ? '-dark' : ''
      await page.screenshot({ path: join(folder, `${name}${suffix}.png`), animations: 'disabled' })
    }
    process.stdout.write(`${name}\n`)
  }
  await resize(width, height)
  return { app, page, picture, resize }
}
