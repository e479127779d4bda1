import { app } from 'electron'
import { useHome } from './home'

/** What a program without a window is told. */
interface HeadlessContext {
  readonly home: string
  readonly appFolder: string
  readonly version: string
}

/** True for `nomos mcp`: the app that is installed can be started as another program, without its window. */
export function isStartedAs(name: string): boolean {
  const [first, second] = process.argv.slice(1).filter((argument) => !argument.startsWith('-'))
  // From its source, Electron is given the app's folder first.
  return (app.isPackaged ? first : second) === name
}

/** Runs without a window and ends with the code that `run` gives; several may run beside the app. */
export function startHeadless(run: (context: HeadlessContext) => Promise<number>): void {
  const home = useHome()
  app.dock?.hide()
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`)
    app.exit(1)
  })
  void run({ home, appFolder: app.getAppPath(), version: app.getVersion() }).then(
    (code) => app.exit(code),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      app.exit(1)
    }
  )
}
