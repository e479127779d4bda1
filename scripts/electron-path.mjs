import { setUp } from './setup.mjs'

process.stdout.write(`${await setUp()}\n`)
