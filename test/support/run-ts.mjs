// Runs a TypeScript module in a Node process of its own: node test/support/run-ts.mjs <file>
import { runnerImport } from 'vite'

await runnerImport(process.argv[2])
