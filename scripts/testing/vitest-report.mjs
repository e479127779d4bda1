import { readFileSync } from 'node:fs'
import { oneFailure } from './totals.mjs'

/**
 * Counts what Vitest's JSON report says. What went wrong outside of a test (a
 * file that cannot be loaded, a runner that died) counts as a failure too.
 */
export function count(file, exitCode) {
  const report = read(file)
  if (!report) return oneFailure
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
  )
  const failed = report.numFailedTests + brokenFiles.length
  return {
    passed: report.numPassedTests,
    failed: exitCode === 0 ? failed : Math.max(failed, 1),
    skipped: report.numPendingTests + report.numTodoTests
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
