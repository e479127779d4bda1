const quietTime = 3_000

/** What is read out to a screen reader: the latest thing only, and at most one in three seconds. */
export class Announcer {
  text = $state('')
  #next: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #quietUntil = 0

  say(text: string): void {
    const wait = this.#quietUntil - Date.now()
    if (wait <= 0 && this.#timer === undefined) {
      this.#speak(text)
      return
    }
    this.#next = text
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#next !== null) this.#speak(this.#next)
    }, wait)
  }

  #speak(text: string): void {
    this.text = text
    this.#next = null
    this.#quietUntil = Date.now() + quietTime
  }
}
