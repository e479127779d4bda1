/** The MCP server on stdin and stdout; everything else that is printed goes to stderr. */
import { buildIfChanged } from './lib/build.mjs'
import { inRoot } from './lib/paths.mjs'
import { runVisibly } from './lib/run.mjs'
import { setUp } from './setup.mjs'

await setUp()
await buildIfChanged()
process.exitCode = await runVisibly(process.execPath, [inRoot('out/main/cli/mcp.js'), ...process.argv.slice(2)], {
  cwd: process.cwd()
})
