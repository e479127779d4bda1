import { fitted } from './fit'
import { single } from './scene-action'
import { deploy } from './scene-deploy'
import { destroy } from './scene-destroy'
import { looks } from './scene-look'
import { review } from './scene-review'
import { frugalScan, scan } from './scene-scan'
import { talks } from './scene-talk'
import { update } from './scene-update'
import { agrees, refuses, say, type Script } from './script'
import { misbehaved } from './switches'
import type { Answer, Scene, Talk } from './talk'

/** In the order in which they are tried. */
const scripts: readonly Script[] = [
  ...talks,
  review,
  deploy,
  destroy,
  frugalScan,
  scan,
  update,
  ...looks,
  single
]

const help: Script = {
  example: '',
  matches: () => true,
  play: () =>
    say(
      `I am the **scripted model** of the lab, not a real one. These I can play:\n\n${scripts
        .filter((script) => script.example !== '')
        .map((script) => `- ${script.example}`)
        .join(
          '\n'
        )}\n\nFor everything else set up a real model in the settings; the lab's hosts work with it too.`
    )
}

const matching = (text: string): Script | undefined => scripts.find((script) => script.matches(text))

/**
 * What is being played: the newest thing the operator asked for that a script knows. Assent, refusals and changes of a
 * plan go on with it; anything else that is said alone gets the list of what can be played.
 */
function current(talk: Talk): { script: Script; scene: Scene } {
  const { operators } = talk
  for (const [back, { text, index }] of [...operators].reverse().entries()) {
    const goesOn = agrees(text) || refuses(text) || isChange(text)
    const script = goesOn && index > 0 ? undefined : matching(text)
    if (script) return { script, scene: talk.from(index) }
    const last = back === operators.length - 1
    if (last || !goesOn) return { script: help, scene: talk.from(index) }
  }
  return { script: help, scene: talk.from(talk.items.length) }
}

/** "go ahead but with 4 cores", "use hostname typetype": a change of what was proposed. */
const isChange = (text: string): boolean =>
  text.length < 120 && /^\s*(go ahead but|yes but|but|with|use|make it|take|change|set)\b/i.test(text)

/** The next answer to a conversation. */
export function answerTo(talk: Talk): Answer {
  const { script, scene } = current(talk)
  const answer = misbehaved(scene, script.play(scene))
  return { ...answer, ...(answer.calls && { calls: answer.calls.map((call) => fitted(call, talk.tools)) }) }
}
