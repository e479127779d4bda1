import type { Answer, Scene } from './talk'

/** One of the requests that the scripted model plays. */
export interface Script {
  /** As the list of what it can play tells it: an example of what to type. */
  readonly example: string
  readonly matches: (text: string) => boolean
  /** The next answer, decided from what has happened since the request alone. */
  readonly play: (scene: Scene) => Answer
}

export const say = (text: string): Answer => ({ text })

/** Whether the operator's newest words agree, as far as a script has to tell. */
export const agrees = (text: string): boolean =>
  /^\s*(yes|yes please|ok|okay|sure|go ahead|do it|proceed|go on|continue|run (it|all)( yourself)?|restart it|please do|approved?)\b/i.test(
    text
  )

export const refuses = (text: string): boolean =>
  /^\s*(no|don'?t|do not|stop|wait|cancel|never mind)\b/i.test(text)
