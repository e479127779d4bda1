import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchApp, type LaunchedApp } from '../support/app'
import { ask, inPage } from '../support/in-page'

/** Waits until what is expected is so. */
const eventually = <T>(expectation: () => Promise<T>) =>
  vi.waitFor(expectation, { timeout: 20_000, interval: 50 })

describe('the window holds Electron’s security list', () => {
  let nomos: LaunchedApp
  beforeAll(async () => {
    nomos = await launchApp()
  })
  afterAll(() => nomos.dispose())

  it('its own page starts without an error in the console', async () => {
    await eventually(async () => expect(await nomos.page.locator('#app > *').count()).toBeGreaterThan(0))
    expect(nomos.problems).toEqual([])
  })

  it('items 2 to 12: isolated, sandboxed, nothing loosened', async () => {
    const preferences = await nomos.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>
      }
      return contents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      enableBlinkFeatures: '',
      webviewTag: false
    })
  })

  it('item 20: the page has the bridge and nothing of Node or Electron', async () => {
    const seen = await inPage(
      nomos.page,
      `const names = ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer', '__dirname']
       return {
         bridge: Object.keys(window.nomos).sort(),
         frozen: Object.isFrozen(window.nomos),
         node: names.filter((name) => name in window)
       }`
    )
    expect(seen).toEqual({ bridge: ['onEvent', 'platform', 'request'], frozen: true, node: [] })
  })

  it('item 7: every answer carries the content security policy, and the page obeys it', async () => {
    const policy = await inPage<string>(
      nomos.page,
      `return (await fetch('/index.html')).headers.get('content-security-policy')`
    )
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("img-src 'self' data:;")
    expect(policy).toContain("frame-src 'none'")
    expect(policy).not.toMatch(/https?:|unsafe-eval|\*/)
    const ran = await inPage(
      nomos.page,
      `const script = document.createElement('script')
       script.textContent = 'window.inlineRan = true'
       document.body.append(script)
       const frame = document.createElement('div')
       frame.innerHTML = '<img src="x" onerror="window.handlerRan = true">'
       document.body.append(frame)
       // What the test itself runs may evaluate text; what the page does later may not.
       const evaluated = await new Promise((done) => setTimeout(() => {
         try { done(new Function('return true')()) } catch (error) { done(error.name) }
       }))
       frame.remove()
       script.remove()
       return { evaluated, inline: window.inlineRan ?? false, handler: window.handlerRan ?? false }`
    )
    expect(ran).toEqual({ evaluated: 'EvalError', inline: false, handler: false })
  })

  it.each([
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/..\\..\\etc\\passwd',
    '/index.html%00',
    '//etc/passwd',
    '/package.json'
  ])('B17 %s is answered with 400', async (path) => {
    const answer = await inPage<{ status: number; text: string }>(
      nomos.page,
      `const answer = await fetch('app://nomos' + ${JSON.stringify(path)})
       return { status: answer.status, text: await answer.text() }`
    )
    expect(answer).toEqual({ status: 400, text: 'There is nothing here.' })
  })

  it('B18 B23 the page reaches nothing beyond the app', async () => {
    const reached = await inPage(
      nomos.page,
      `const tried = (attempt) => attempt.then(() => 'reached', () => 'refused')
       const loaded = (thing) => new Promise((done, refused) => {
         thing.onload = thing.onopen = done
         thing.onerror = refused
       })
       const image = new Image()
       image.src = 'http://127.0.0.1:9/pixel.png?secret'
       return {
         fetch: await tried(fetch('http://127.0.0.1:9/')),
         file: await tried(fetch('file:///etc/passwd')),
         image: await tried(loaded(image)),
         socket: await tried(loaded(new WebSocket('ws://127.0.0.1:9')))
       }`
    )
    expect(reached).toEqual({ fetch: 'refused', file: 'refused', image: 'refused', socket: 'refused' })
  })

  it('item 5: every permission is denied', async () => {
    const states = await inPage<string[]>(
      nomos.page,
      `const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi', 'clipboard-read']
       const asked = await Promise.all(names.map((name) => navigator.permissions.query({ name })))
       return [
         ...asked.map(({ state }) => state),
         await Notification.requestPermission(),
         await navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', () => 'denied')
       ]`
    )
    expect(new Set(states)).toEqual(new Set(['denied']))
  })

  it('B15 a frame in the page has no bridge, and another window’s request is refused', async () => {
    const frameHasBridge = await inPage(
      nomos.page,
      `const frame = document.createElement('iframe')
       document.body.append(frame)
       const has = 'nomos' in frame.contentWindow
       frame.remove()
       return has`
    )
    expect(frameHasBridge).toBe(false)
    const replies = await nomos.app.evaluate(async ({ app, BrowserWindow }) => {
      const preload = `${app.getAppPath()}/out/preload/index.cjs`
      const question = `window.nomos.request('app.bootstrap', {})`
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
      await other.loadURL('data:text/html,elsewhere')
      const elsewhere: unknown = await other.webContents.executeJavaScript(question)
      await other.loadURL('app://nomos/index.html')
      const sameOrigin: unknown = await other.webContents.executeJavaScript(question)
      other.destroy()
      return [elsewhere, sameOrigin]
    })
    for (const reply of replies) expect(reply).toMatchObject({ ok: false, error: { code: 'sender_refused' } })
    expect(await ask(nomos.page, 'app.bootstrap', {})).toMatchObject({ ok: true })
  })

  it('only the routes of the contract pass, and only with what they take', async () => {
    const replies = await inPage(
      nomos.page,
      `return [
         await window.nomos.request('shell.exec', {}),
         await window.nomos.request('__proto__', {}),
         await window.nomos.request('app.copy', { text: 1 })
       ]`
    )
    expect(replies).toMatchObject([
      { error: { code: 'route_unknown' } },
      { error: { code: 'route_unknown' } },
      { error: { code: 'input_invalid' } }
    ])
  })

  it('B20 an address is opened only if it is a plain web address, and after the operator saw it', async () => {
    await nomos.app.evaluate(({ dialog, shell }) => {
      const seen = { asked: [] as string[], opened: [] as string[], answer: 0 }
      Object.assign(globalThis, { seen })
      dialog.showMessageBox = (...args: unknown[]) => {
        seen.asked.push((args.at(-1) as { detail: string }).detail)
        return Promise.resolve({ response: seen.answer, checkboxChecked: false })
      }
      shell.openExternal = (address) => Promise.resolve(void seen.opened.push(address))
    })
    const seen = () => nomos.app.evaluate(() => (globalThis as unknown as { seen: unknown }).seen)
    const open = (url: string) => ask(nomos.page, 'app.open_external', { url })
    for (const url of [
      'file:///etc/passwd',
      'smb://server/share',
      'ms-msdt:/id',
      'https://a@b',
      'javascript:alert(1)'
    ])
      expect(await open(url), url).toMatchObject({ ok: false, error: { code: 'url_refused' } })
    expect(await seen()).toMatchObject({ asked: [], opened: [] })

    expect(await open('https://example.org/a')).toMatchObject({ ok: false, error: { code: 'declined' } })
    expect(await seen()).toMatchObject({ asked: ['https://example.org/a'], opened: [] })

    await nomos.app.evaluate(() => {
      ;(globalThis as unknown as { seen: { answer: number } }).seen.answer = 1
    })
    expect(await open('https://example.org/b')).toMatchObject({ ok: true })
    expect(await seen()).toMatchObject({ opened: ['https://example.org/b'] })
  })

  it.each([
    'https://example.org/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:window.nomos=1',
    'about:blank'
  ])(
    'B19 the window does not leave for %s, by a link, a script, a new window or something dropped onto it',
    async (address) => {
      const { app, page } = nomos
      const opened = await inPage(
        page,
        `const address = ${JSON.stringify(address)}
         const link = document.createElement('a')
         link.href = address
         document.body.append(link)
         link.click()
         link.target = '_blank'
         link.click()
         const opened = window.open(address)
         location.href = address
         return opened === null`
      ).catch(() => 'the page was exchanged')
      expect([true, 'the page was exchanged']).toContain(opened)
      await eventually(async () => {
        expect(await inPage(page, 'return location.href')).toBe('app://nomos/index.html')
        expect(await ask(page, 'app.bootstrap', {})).toMatchObject({ ok: true })
      })
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    }
  )
})
