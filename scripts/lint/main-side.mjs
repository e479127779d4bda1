/**
 * Types and rules of everything but the screen, in one program: what TypeScript finds out to check the types is most of
 * what the rules that ask for types need, and finding it out is most of the work.
 */
import { ESLint } from 'eslint'
import ts from 'typescript'
import { inRoot } from '../lib/paths.mjs'

const folders = ['src-main', 'src-preload', 'test']

const config = ts.getParsedCommandLineOfConfigFile(
  inRoot('tsconfig.node.json'),
  { incremental: false, tsBuildInfoFile: undefined },
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
    }
  }
)
const program = ts.createProgram(config.fileNames, config.options)
const found = [...config.errors, ...ts.getPreEmitDiagnostics(program)]
process.stdout.write(
  ts.formatDiagnostics(found, {
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n'
  })
)

const eslint = new ESLint({
  cwd: inRoot(),
  overrideConfig: {
    files: folders.map((folder) => `${folder}/**/*.ts`),
    ignores: ['test/unit/renderer/**'],
    languageOptions: { parserOptions: { project: null, programs: [program] } }
  }
})
const results = await eslint.lintFiles(folders)
const formatter = await eslint.loadFormatter('stylish')
process.stdout.write(await formatter.format(results))

const faults = results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0)
process.exitCode = found.length + faults > 0 ? 1 : 0
