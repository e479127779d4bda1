import { createRequire } from 'node:module'
import type * as Ssh2 from 'ssh2'

const require = createRequire(import.meta.url)

/**
 * The SSH library, read when it is first needed: it is some fifty files with a native part, and the app starts without
 * them. Being CommonJS, it can be read in the middle of a function.
 */
export const ssh2 = (): typeof Ssh2 => require('ssh2') as typeof Ssh2
