import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../src-main/base/log'
import { createKnowledge } from '../../src-main/knowledge/knowledge'
import { testStore } from '../support/store'
import { figure, spread } from './support/figures'
import { seeded, vocabulary, zipf } from './support/words'

const documents = 100_000
const wordsEach = 120
const searches = 600
/** As many as the page asks for. */
const hits = 200

it('searching 100,000 documents', () => {
  const store = testStore()
  const knowledge = createKnowledge({ store, folders: () => [], log: silentLogger })
  onTestFinished(() => knowledge.close())
  const words = vocabulary(30_000)
  const random = seeded(1)
  const word = zipf(words, random)
  const text = (count: number) => Array.from({ length: count }, word).join(' ')
  const insert = store.db.prepare(
    "INSERT INTO documents (source, ref, title, body, updated_at) VALUES ('note', ?, ?, ?, ?)"
  )
  for (let from = 0; from < documents; from += 5_000)
    store.transact(() => {
      for (let i = from; i < from + 5_000; i++) insert.run(`note-${i}`, text(4), text(wordsEach), i)
    })

  /** What people type: one to three words of the texts, the last one sometimes unfinished. */
  const queries = Array.from({ length: searches }, () => {
    const query = text(1 + Math.floor(random() * 3))
    return random() < 0.3 ? query.slice(0, -1) : query
  })
  const times: { query: string; took: number }[] = []
  let found = 0
  for (const query of queries) {
    const begun = performance.now()
    found += knowledge.search(query, hits).length
    times.push({ query, took: performance.now() - begun })
  }
  expect(found).toBeGreaterThan(searches)
  figure('search, 100,000 documents', spread(times.map(({ took }) => took)), '95% 20 ms')

  const common = new Set(words.slice(0, 100))
  const known = new Set(words)
  const kinds: Record<string, (typed: readonly string[]) => boolean> = {
    'with one of the 100 most common words': (typed) => typed.some((each) => common.has(each)),
    'without one': (typed) => !typed.some((each) => common.has(each)),
    'one word': (typed) => typed.length === 1,
    'two or three words': (typed) => typed.length > 1,
    'the last word unfinished': (typed) => !known.has(typed.at(-1) ?? '')
  }
  for (const [kind, isOf] of Object.entries(kinds))
    figure(`  ${kind}`, spread(times.filter(({ query }) => isOf(query.split(' '))).map(({ took }) => took)))
})
