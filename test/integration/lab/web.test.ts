import { afterEach, beforeEach, expect, it } from 'vitest'
import { startLab, type Lab } from '../../../src-main/lab/lab'
import { temporaryFolder } from './folder'

let lab: Lab
beforeEach(async () => {
  lab = await startLab({ folder: temporaryFolder(), pace: 0.01 })
})
afterEach(() => lab.stop())

const text = async (url: string) => {
  const own = lab.rewrite(url)
  const response = await fetch(own ?? 'http://127.0.0.1:1/')
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
}

it('serves the README of TypeType as a page, raw, and over the API', async () => {
  const page = await text('https://github.com/Priveetee/TypeType')
  expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
  expect(page.body).toContain('<h1>TypeType</h1>')
  expect(page.body).toContain('apt-get install -y nodejs')
  expect((await text('https://raw.githubusercontent.com/Priveetee/TypeType/main/README.md')).body).toMatch(
    /^# TypeType\n/
  )
  const readme = JSON.parse((await text('https://api.github.com/repos/Priveetee/TypeType/readme')).body) as {
    content: string
  }
  expect(Buffer.from(readme.content, 'base64').toString()).toContain('typetype.service')
  expect((await text('https://github.com/Priveetee/TypeType/wiki')).status).toBe(404)
})

it.each([
  'https://github.com/other/project',
  'https://example.org/Priveetee/TypeType',
  'http://user@github.com/Priveetee/TypeType',
  'https://github.com:8443/Priveetee/TypeType',
  'file:///etc/passwd',
  'nonsense'
])('leaves %s to the internet', (url) => {
  expect(lab.rewrite(url)).toBeNull()
})

it('names its own address for the pages that may be fetched, and its model', () => {
  expect(lab.config.webFetchAllow).toEqual([new URL(lab.web).host])
  expect(lab.config.model).toMatchObject({ provider: 'openai-compatible', model: 'lab-scripted' })
  expect(lab.config.hosts.map((host) => host.name)).toEqual(['strong', 'quiet'])
})
