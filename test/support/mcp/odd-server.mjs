/**
 * An MCP server on stdio that does not behave, written without the SDK so that it can do everything wrong.
 *   node odd-server.mjs FOLDER
 * FOLDER/tools.json, if there, is what it lists; FOLDER/started gets a line with its process ids at each start.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { object, serve, text, write } from './bare-server.mjs'

const folder = process.argv[2]
const toolsFile = join(folder, 'tools.json')
const usual = [
  'crash',
  'echo',
  'silent',
  'garble',
  'long_line',
  'flood_stderr',
  'environment',
  'ask',
  'big',
  'wrong'
].map((name) => ({ name, description: `What ${name} does.`, inputSchema: object }))
const tools = () => (existsSync(toolsFile) ? JSON.parse(readFileSync(toolsFile, 'utf8')) : usual)

// A child that ends only by force, and says nothing.
const child = existsSync(join(folder, 'child'))
  ? spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{}); setInterval(()=>{}, 1000)'], {
      stdio: 'ignore'
    })
  : null
appendFileSync(join(folder, 'started'), `${[process.pid, child?.pid].filter(Boolean).join(' ')}\n`)
if (existsSync(join(folder, 'stubborn'))) {
  process.on('SIGTERM', () => undefined)
  setInterval(() => undefined, 1000)
}
process.stdout.write('Welcome to the odd server!\n')
process.stderr.write('It says: starting\n')
if (existsSync(join(folder, 'crash-at-start'))) process.exit(3)

watch(folder, (_event, file) => {
  if (file === 'tools.json') write({ method: 'notifications/tools/list_changed' })
})

const calls = {
  echo: (id, args) => text(id, JSON.stringify(args)),
  crash: () => process.exit(1),
  silent: () => appendFileSync(join(folder, 'silent'), 'called\n'),
  garble: (id) => {
    process.stdout.write('not JSON\n{"half":\n[]\n{"jsonrpc":"2.0"}\n\u0000\u0001\n')
    text(id, 'after the noise')
  },
  long_line: (id) => {
    process.stdout.write(`${'x'.repeat(10 * 1024 * 1024)}\n`)
    text(id, 'after the long line')
  },
  flood_stderr: (id) => {
    let left = 200
    const more = () => {
      while (left-- > 0)
        if (!process.stderr.write('e'.repeat(64 * 1024))) return process.stderr.once('drain', more)
      text(id, 'after the flood')
    }
    more()
  },
  environment: (id) =>
    text(id, JSON.stringify({ env: process.env, cwd: process.cwd(), args: process.argv.slice(3) })),
  ask: (id, args) => {
    write({ id: `ask-${id}`, method: 'elicitation/create', params: args.params })
    waiting.set(`ask-${id}`, (answer) => text(id, JSON.stringify(answer)))
  },
  big: (id) =>
    write({
      id,
      result: {
        content: [
          { type: 'text', text: `start ${'y'.repeat(100_000)} \u200b\u001b[31mend` },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          { type: 'resource_link', name: 'page', uri: 'http://192.168.0.1/' }
        ],
        structuredContent: { big: 'z'.repeat(100_000) }
      }
    }),
  wrong: (id) => write({ id, result: { content: [{ type: 'nonsense' }] } })
}
const waiting = new Map()

serve({
  name: 'odd',
  tools,
  call: (id, name, given) => (calls[name] ?? calls.echo)(id, given),
  other({ id, method, params, result, error }) {
    if (method === 'notifications/cancelled')
      appendFileSync(join(folder, 'cancelled'), `${params.requestId}\n`)
    else if (waiting.has(id)) waiting.get(id)(result ?? error)
  }
})
