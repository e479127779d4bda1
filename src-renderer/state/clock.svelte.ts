import { createSubscriber } from 'svelte/reactivity'

/** The time, to the second, ticking only while something on the screen shows it. */
class Clock {
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, 1000)
    return () => clearInterval(timer)
  })

  get now(): number {
    this.#subscribe()
    return Date.now()
  }
}

export const clock = new Clock()
