import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import type { McpLaunch } from '../../src-preload/contract'
import type { Texts } from './text'
import { visible } from './visible'

type Program = Extract<McpLaunch, { kind: 'stdio' }>

/** Shows the whole of what would be started; Enter and Escape do not start it. */
export async function confirmProgram(
  window: BrowserWindow | null,
  name: string,
  program: Program,
  { server: words }: Texts
): Promise<boolean> {
  const question: MessageBoxOptions = {
    type: 'warning',
    title: words.title,
    message: words.question(name),
    detail: detailOf(program, words),
    buttons: [words.cancel, words.start],
    defaultId: 0,
    cancelId: 0,
    noLink: true
  }
  const { response } = await (window
    ? dialog.showMessageBox(window, question)
    : dialog.showMessageBox(question))
  return response === 1
}

/** One argument a line, so that none can look like two; invisible characters written out. */
function detailOf({ command, args, env }: Program, words: Texts['server']): string {
  const variables = Object.entries(env).map(([name, value]) => `${visible(name)}=${visible(value)}`)
  return [
    words.body,
    '',
    ...[command, ...args].map(visible),
    ...(variables.length === 0 ? [] : ['', words.variables, '', ...variables])
  ].join('\n')
}
