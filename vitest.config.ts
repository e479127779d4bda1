import { resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const alias = { '@contract': resolve(import.meta.dirname, 'src-preload/contract') }
const second = 1_000
const limit = (seconds: number) => ({ testTimeout: seconds * second, hookTimeout: seconds * second })

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        plugins: [svelte()],
        resolve: { alias },
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], ...limit(15) }
      },
      {
        resolve: { alias },
        test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...limit(60) }
      },
      {
        resolve: { alias },
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // Each file has a window and an Electron of its own; two at once would only slow each other down.
          fileParallelism: false,
          ...limit(180)
        }
      },
      {
        resolve: { alias },
        test: { name: 'package', include: ['test/package/**/*.test.ts'], ...limit(600) }
      },
      {
        resolve: { alias },
        test: { name: 'bench', include: ['test/bench/**/*.bench.ts'], fileParallelism: false, ...limit(600) }
      }
    ]
  }
})
