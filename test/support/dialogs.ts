import type { LaunchedApp } from './app'

export interface Question {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
}

/** From now on every dialog of the system is answered with this button; nobody can press one in a test. */
export const answerDialogs = ({ app }: LaunchedApp, button: number): Promise<void> =>
  app.evaluate(({ dialog }, response) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (...questions: unknown[]) => {
      asked.push(questions.at(-1))
      return Promise.resolve({ response, checkboxChecked: false })
    }
  }, button)

/** What the dialogs have asked since then. */
export const questions = ({ app }: LaunchedApp): Promise<Question[]> =>
  app.evaluate(() => (globalThis as unknown as { asked: Question[] }).asked)
