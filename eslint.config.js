import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import { layers } from './scripts/lint/layers.mjs'

const everyIpcHandlerInOnePlace = {
  selector:
    "CallExpression[callee.object.name='ipcMain'][callee.property.name=/^(handle|handleOnce|on|once)$/]",
  message:
    'Requests from windows are answered in src-main/desktop/ipc-bridge.ts only, which checks their sender.'
}

export default ts.config(
  { ignores: ['out/', 'dist/', '.cache/', 'test-results/', 'node_modules/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Escape sequences of terminals are this program's daily bread.
      'no-control-regex': 'off',
      'no-misleading-character-class': ['error', { allowEscape: true }],
      'no-undef': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-ignore': true, 'ts-nocheck': true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }]
    }
  },
  {
    files: ['src-*/**/*.{ts,svelte}'],
    plugins: { nomos: { rules: { layers } } },
    rules: { 'nomos/layers': 'error', 'no-restricted-syntax': ['error', everyIpcHandlerInOnePlace] }
  },
  { files: ['src-main/desktop/ipc-bridge.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['src-main/**/*.ts', 'src-preload/**/*.ts', 'test/**/*.ts'],
    ignores: ['test/unit/renderer/**'],
    languageOptions: {
      parserOptions: { project: 'tsconfig.node.json', tsconfigRootDir: import.meta.dirname }
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true }
      ]
    }
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        parser: ts.parser,
        extraFileExtensions: ['.svelte'],
        // As in svelte.config.js for the app's own files, and plain, so that what was linted can be cached.
        svelteConfig: { compilerOptions: { runes: true } }
      }
    },
    // Text from models, pages and machines is built into elements, never parsed as HTML.
    rules: { 'svelte/no-at-html-tags': 'error', 'svelte/prefer-svelte-reactivity': 'off' }
  },
  { files: ['scripts/**/*.mjs', '*.js'], languageOptions: { globals: globals.node } }
)
