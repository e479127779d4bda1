const quietTime = 3_000
/** Of what came in the quiet time only the newest is read out. */
const mostTogether = 3

/** What is read out to a screen reader: at most once in three seconds, what came meanwhile together. */
export class Announcer {
  text = $state('')
  #next: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #quietUntil = 0

  say(text: string): void {
    this.#next = [...this.#next.filter((waiting) => waiting !== text), text].slice(-mostTogether)
    const wait = this.#quietUntil - Date.now()
    if (wait <= 0 && this.#timer === undefined) this.#speak()
    else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#speak()
      }, wait)
    }
  }

  #speak(): void {
    this.text = this.#next.join('. ')
    this.#next = []
    this.#quietUntil = Date.now() + quietTime
  }
}
