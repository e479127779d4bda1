import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { plainIcons } from './scripts/lib/plain-icons.mjs'

const at = (path: string) => resolve(import.meta.dirname, path)

const alias = { '@contract': at('src-preload/contract') }

// The oldest runtime the app is run on in development (Electron 33), so that
// one build serves it and the pinned Electron alike.
const nodeTarget = 'node20.18'
const chromeTarget = 'chrome130'

/** What the main side can be started as; a program that is not written yet is left out. */
const programs = { index: at('src-main/index.ts'), 'cli/mcp': at('src-main/cli/mcp.ts') }
const mainEntries = Object.fromEntries(Object.entries(programs).filter(([, file]) => existsSync(file)))

/** With binaries or optional parts of their own, so they stay folders in node_modules; everything else is built in. */
const outside = ['better-sqlite3', 'keytar', 'ssh2']
const { dependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>
}

export default defineConfig({
  main: {
    resolve: { alias },
    build: {
      target: nodeTarget,
      outDir: at('out/main'),
      sourcemap: true,
      // Hundreds of small files, found and read one by one, would make up most of the time to start.
      externalizeDeps: { exclude: Object.keys(dependencies).filter((name) => !outside.includes(name)) },
      rolldownOptions: {
        input: mainEntries,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // Half as much to read at each start; names stay, so that the log's traces can be read.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }
        }
      }
    }
  },
  preload: {
    resolve: { alias },
    build: {
      target: nodeTarget,
      outDir: at('out/preload'),
      sourcemap: true,
      // A sandboxed preload can load no other file, so everything goes into one.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('src-preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false }
      }
    }
  },
  renderer: {
    root: at('src-renderer'),
    resolve: { alias },
    plugins: [plainIcons(), svelte()],
    build: {
      target: chromeTarget,
      outDir: at('out/renderer'),
      sourcemap: true,
      minify: true,
      rolldownOptions: {
        input: at('src-renderer/index.html'),
        // Of the contract, a page needs types and a few lists; its schemas, and all of zod, stay in the main process.
        treeshake: { moduleSideEffects: (id) => !id.startsWith(at('src-preload/contract')) }
      }
    }
  }
})
