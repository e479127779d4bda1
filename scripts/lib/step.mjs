/**
 * Progress of the set-up. It goes to stderr, because stdout belongs to the
 * program that is set up (the MCP protocol, a path, a report).
 */
const print = (text) => process.stderr.write(text)
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

export const tell = (text) => print(`• ${text}\n`)

/** Does a piece of work that takes a while, saying what it is and how long it took. */
export async function step(name, work) {
  const since = performance.now()
  tell(`${name} …`)
  const result = await work()
  tell(`${name}: done in ${seconds(since)}`)
  return result
}
