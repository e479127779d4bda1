import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

const isDependency = (filename) => filename.split(/[/\\]/).includes('node_modules')

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: ({ filename }) => (isDependency(filename) ? undefined : true) }
}
