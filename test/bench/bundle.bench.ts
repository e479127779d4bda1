import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { figure, kb } from './support/figures'

const renderer = join(import.meta.dirname, '../../out/renderer')

it('the renderer, gzipped', () => {
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  const gzipped = (ending: string) =>
    files
      .filter((file) => file.endsWith(ending))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(renderer, file)), { level: 9 }).length, 0)
  const [js, css] = [gzipped('.js'), gzipped('.css')]
  expect(js).toBeGreaterThan(0)
  figure('renderer gzipped', `JS ${kb(js)} + CSS ${kb(css)} = ${kb(js + css)}`, '300 KB')
})
