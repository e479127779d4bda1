import { mkdirSync } from 'node:fs'
import { app, clipboard, dialog, shell, type BrowserWindow, type MessageBoxOptions } from 'electron'
import type { Place } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import type { Shell } from '../ipc/shell'
import { checkExternalUrl } from './external-url'
import { confirmProgram } from './program-dialog'
import type { Texts } from './text'

/** What the shell needs of the desktop. */
export interface ShellOptions {
  readonly window: () => BrowserWindow | null
  readonly texts: () => Texts
  readonly onShown: (place: Place) => void
}

/** The desktop as the operator's requests reach it. */
export const createShell = ({ window, texts, onShown }: ShellOptions): Shell => ({
  noteShown: onShown,
  confirmProgram: (name, program) => confirmProgram(window(), name, program, texts()),
  async openExternal(address) {
    const checked = checkExternalUrl(address)
    if (!checked.ok) return checked
    return (await isWanted(window(), checked.value, texts().link))
      ? await open(checked.value)
      : fail('declined', 'It was not opened.')
  },
  copy: (text) => clipboard.writeText(text),
  async showFolder(folder) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const problem = await shell.openPath(folder)
    return problem === '' ? ok(null) : fail('folder_not_opened', `${folder} could not be opened: ${problem}`)
  },
  restart() {
    // An AppImage runs from a place that is gone when it ends.
    const image = process.env['APPIMAGE']
    app.relaunch(image ? { execPath: image } : {})
    app.quit()
  }
})

/** Links may come from the model or from a page it read: the operator sees the whole address first. */
async function isWanted(
  window: BrowserWindow | null,
  address: string,
  words: Texts['link']
): Promise<boolean> {
  const question: MessageBoxOptions = {
    type: 'question',
    title: words.title,
    message: words.question,
    detail: address,
    buttons: [words.cancel, words.open],
    defaultId: 1,
    cancelId: 0,
    noLink: true
  }
  const { response } = await (window
    ? dialog.showMessageBox(window, question)
    : dialog.showMessageBox(question))
  return response === 1
}

async function open(address: string): Promise<Result<null>> {
  try {
    await shell.openExternal(address)
    return ok(null)
  } catch {
    return fail('browser_not_found', 'No browser could be started for this address.', 'Copy it instead.')
  }
}
