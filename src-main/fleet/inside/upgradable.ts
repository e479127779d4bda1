/** A package that apt would upgrade. */
export interface Update {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly security: boolean
}

/** Rows of `apt list --upgradable`: `name/suite,suite version arch [upgradable from: version]`. */
export const parseUpgradable = (text: string): Update[] =>
  text.split('\n').flatMap((line) => {
    const found = /^([a-z0-9][a-z0-9+.-]*)\/(\S+)\s+(\S+)\s+\S+\s+\[upgradable from: ([^\]\s]+)\]/.exec(
      line.trim()
    )
    const [, name, suites, to, from] = found ?? []
    return name && suites && to && from ? [{ name, from, to, security: suites.includes('-security') }] : []
  })
