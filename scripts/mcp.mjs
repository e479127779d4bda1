/** The MCP server on stdin and stdout; everything else that is printed goes to stderr. */
import { buildIfChanged } from './lib/build.mjs'
import { inRoot } from './lib/paths.mjs'
import { program } from './lib/program.mjs'
import { runVisibly } from './lib/run.mjs'
import { setUp } from './setup.mjs'

const server = inRoot('out/main/cli/mcp.js')

await program(async () => {
  await setUp()
  await buildIfChanged()
  return await runVisibly(process.execPath, [server, ...process.argv.slice(2)])
})
