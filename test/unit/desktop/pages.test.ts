import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAppUrl } from '../../../src-main/desktop/app-url'
import { findAsset, listAssets, type Assets } from '../../../src-main/desktop/assets'
import { failurePage } from '../../../src-main/desktop/failure-page'
import { isTrusted } from '../../../src-main/desktop/sender'
import { en } from '../../../src-main/desktop/text/en'

let folder: string
let assets: Assets
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nomos-pages-'))
  const page = join(folder, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  for (const name of [
    'index.html',
    'assets/main-1a2b.js',
    'assets/main.css',
    'assets/inter.woff2',
    'assets/notes.secret'
  ])
    writeFileSync(join(page, name), name)
  writeFileSync(join(folder, 'outside.html'), 'outside')
  assets = listAssets(page)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the files of the page are served under their own paths, with their types', () => {
  expect([...assets.keys()].sort()).toEqual([
    '/',
    '/assets/inter.woff2',
    '/assets/main-1a2b.js',
    '/assets/main.css',
    '/index.html'
  ])
  expect(findAsset(assets, 'app://nomos/assets/main-1a2b.js')?.type).toBe('text/javascript; charset=utf-8')
  expect(findAsset(assets, 'app://nomos/')?.file).toBe(join(folder, 'page/index.html'))
  expect(findAsset(assets, 'app://nomos/index.html?x=1#/chat')?.file).toBe(join(folder, 'page/index.html'))
})

test.each([
  'app://bundle/../../etc/passwd',
  'app://nomos/../outside.html',
  'app://nomos/%2e%2e/outside.html',
  'app://nomos/..%2foutside.html',
  'app://nomos/..\\outside.html',
  'app://nomos\\index.html',
  'app://nomos/assets/../../outside.html',
  'app://nomos/index.html\0.png',
  'app://nomos/index.html%00',
  'app://nomos//etc/passwd',
  'app://nomos/assets',
  'app://nomos/__proto__',
  'app://nomos.evil/index.html',
  'app://nomos@evil/index.html',
  'app://evil/index.html',
  'file:///etc/passwd',
  ''
])('B17 %j leads nowhere', (address) => {
  expect(findAsset(assets, address)).toBeNull()
})

test('B17 no address gives a file that is not listed', () => {
  const piece = fc.oneof(
    fc.constantFrom('..', '.', '%2e', '%2F', '/', '\\', '\0', 'assets', 'index.html', 'outside.html'),
    fc.string()
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const found = findAsset(assets, `app://nomos/${pieces.join('')}`)
      return found === null || [...assets.values()].includes(found)
    })
  )
})

test('only the app itself is an address of the app', () => {
  expect(isAppUrl('app://nomos/index.html')).toBe(true)
  for (const other of [
    'app://nomos.evil/',
    'app://nomos:80/',
    'app://user@nomos/',
    'app://evil/app://nomos/',
    'https://nomos/',
    'apps://nomos/',
    'file:///app://nomos/',
    'about:blank',
    'javascript:alert(1)//app://nomos',
    ''
  ])
    expect(isAppUrl(other), other).toBe(false)
})

test('B15 a request is let in only from the page of the window', () => {
  const page = { origin: 'app://nomos' }
  expect(isTrusted(page, page)).toBe(true)
  expect(isTrusted(null, page), 'a frame that is gone').toBe(false)
  expect(isTrusted(null, null), 'no frame and no window').toBe(false)
  expect(isTrusted({ origin: 'app://nomos' }, page), 'a frame inside the page, or another window').toBe(false)
  expect(isTrusted(page, null), 'no window').toBe(false)
  const elsewhere = { origin: 'https://evil.example' }
  expect(isTrusted(elsewhere, elsewhere), 'the window, led elsewhere').toBe(false)
  const opaque = { origin: 'null' }
  expect(isTrusted(opaque, opaque), 'an opaque origin').toBe(false)
})

test('the page that tells why Nomos cannot start shows text as text', () => {
  const error = { code: 'x"y', message: '<script>alert(1)</script> & more', hint: `it's` }
  const page = failurePage(error, en)
  expect(page).not.toContain('<script')
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; more')
  expect(page).toContain('data-code="x&quot;y"')
  expect(page).toContain('it&#39;s')
})
