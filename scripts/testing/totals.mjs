export const nothing = { passed: 0, failed: 0, skipped: 0 }

export const oneSuccess = { ...nothing, passed: 1 }
export const oneFailure = { ...nothing, failed: 1 }

export const sum = (all) =>
  all.reduce(
    (total, each) => ({
      passed: total.passed + each.passed,
      failed: total.failed + each.failed,
      skipped: total.skipped + each.skipped
    }),
    nothing
  )

export function inWords({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`
  return skipped > 0 ? `${line}, ${skipped} skipped` : line
}
