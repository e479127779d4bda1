import type { Locator, Page } from 'playwright-core'

/** The chat as a person uses it: by what is on the screen. */
export class Chat {
  constructor(readonly page: Page) {}

  /** First start: the lab instead of an own node. */
  async exploreLab(): Promise<void> {
    await this.page.getByTestId('explore-lab').click()
    await this.page.getByTestId('composer-input').waitFor()
  }

  async newSession(): Promise<void> {
    await this.page.getByTestId('session-new').click()
  }

  async say(text: string): Promise<void> {
    await this.page.getByTestId('composer-input').fill(text)
    await this.page.getByTestId('composer-send').click()
  }

  messages(filter = ''): Locator {
    return this.page.locator(`[data-testid="message"]${filter}`)
  }

  answers(): Locator {
    return this.messages('[data-role="assistant"]')
  }

  continuations(): Locator {
    return this.messages('[data-kind="continuation"]')
  }

  /** An answer that is complete and contains the text. */
  answerWith(text: string | RegExp): Locator {
    return this.messages('[data-role="assistant"][data-state="done"]').filter({ hasText: text })
  }

  plan(state: string): Locator {
    return this.page.locator(`[data-testid="plan-card"][data-state="${state}"]`)
  }

  approval(state: string): Locator {
    return this.page.locator(`[data-testid="approval-card"][data-state="${state}"]`)
  }

  /** Scrolls through all commands of a card: only then can it be approved (B12). */
  async readToTheEnd(card: Locator): Promise<void> {
    await card.getByTestId('approval-commands').last().scrollIntoViewIfNeeded()
    await card.evaluate((element) => {
      for (const box of element.querySelectorAll('*'))
        if (box.scrollHeight > box.clientHeight) box.scrollTop = box.scrollHeight
    })
  }

  executions(state = ''): Locator {
    return this.page.locator(`[data-testid="execution-row"]${state && `[data-state="${state}"]`}`)
  }

  groups(state = ''): Locator {
    return this.page.locator(`[data-testid="tool-group"]${state && `[data-state="${state}"]`}`)
  }

  window(): Locator {
    return this.page.getByTestId('assent-window')
  }
}
