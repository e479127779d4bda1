const supported = (major, minor) => (major === 20 && minor >= 19) || major === 22 || major >= 24

/** The scripts and the build tools need a maintained, even Node. */
export function checkNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (supported(major, minor)) return
  throw new Error(
    `Node ${version} is not supported. Nomos needs Node 20.19 or later in the 20 line, 22, or 24 and later: https://nodejs.org`
  )
}
