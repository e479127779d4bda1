/**
 * Runs the tests and ends with one line of totals.
 *
 *   npm test                          all tests
 *   npm test -- all                   the checks of `npm run check` too
 *   npm test -- unit integration      some runners
 *   npm test -- package               makes the deb, installs it and works with it
 *   npm test -- e2e approvals         files of a runner whose path contains a word
 */
import { buildIfChanged } from './lib/build.mjs'
import { setUp } from './setup.mjs'
import { all, needBuild, runners, tests } from './testing/runners.mjs'
import { inWords, nothing, oneFailure, sum } from './testing/totals.mjs'

const words = process.argv.slice(2)
const isRunner = (word) => Object.hasOwn(runners, word)
const named = words.filter(isRunner)
const filters = words.filter((word) => !isRunner(word) && word !== 'all')
const chosen = words.includes('all') ? all : named.length > 0 ? named : tests

const total = sum(await run())
if (total.passed + total.failed === 0) {
  process.stdout.write(`no tests found for: ${words.join(' ')}\n`)
  total.failed = 1
}
process.stdout.write(`${inWords(total)}\n`)
process.exitCode = total.failed === 0 ? 0 : 1

async function run() {
  const results = []
  let electron
  results.push(await orOneFailure(async () => void (electron = await setUp())))
  if (!electron) return results

  // A build that fails is one failure; the runners that can do without it still tell something.
  if (chosen.some((name) => needBuild.includes(name))) results.push(await orOneFailure(buildIfChanged))
  for (const name of chosen) {
    process.stdout.write(`\n── ${name} ──\n`)
    results.push(await orOneFailure(() => runners[name](electron, filters)))
  }
  return results
}

async function orOneFailure(work) {
  try {
    return (await work()) ?? nothing
  } catch (error) {
    process.stdout.write(`${error.message}\n`)
    return oneFailure
  }
}
