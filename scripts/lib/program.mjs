import { pathToFileURL } from 'node:url'

/** Runs a script's main part: what it returns is the exit code, and what it throws is told in words. */
export async function program(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** True where a file is what Node was started with, and not imported by another. */
export const isStarted = (url) => url === pathToFileURL(process.argv[1]).href
