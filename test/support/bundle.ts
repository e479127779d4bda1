import { basename, join } from 'node:path'
import { build } from 'vite'

/** The app's folder. */
export const root = join(import.meta.dirname, '../..')

/**
 * Bundles a program of the tests into a folder of `out/`; answers the file to start. One file loads ten times faster
 * than its sources do, which counts for a program that is started again and again.
 */
export async function bundleProgram(entry: string, folder: string): Promise<string> {
  const outDir = join(root, 'out', folder)
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    // What is native stays outside.
    ssr: { noExternal: true, external: ['better-sqlite3', 'ssh2', 'keytar'] },
    build: { ssr: join(root, entry), outDir, emptyOutDir: true, minify: false }
  })
  return join(outDir, basename(entry).replace(/\.ts$/, '.js'))
}
