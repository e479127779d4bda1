import { agrees } from './script'
import type { Answer, Scene } from './talk'

/**
 * Words in the operator's request that make the model misbehave, for those who want to see how the app bears it.
 *
 * - "answer empty": in the turn that a result has started it answers with nothing, however often it is asked;
 *   let on by the operator, it answers properly. Without a result to wait for it answers nothing at once.
 * - "answer slowly": it thinks for half a minute (at pace 1) before it says anything.
 * - "break off": the connection ends in the middle of its answer.
 */
export function misbehaved(scene: Scene, answer: Answer): Answer {
  const { request } = scene
  if (/answer empty/i.test(request) && isEmptyNow(scene, answer)) return {}
  if (/answer slowly/i.test(request)) return { ...answer, thinkMs: 30_000 }
  if (/break off/i.test(request)) return { ...answer, breaksOff: true }
  return answer
}

function isEmptyNow(scene: Scene, answer: Answer): boolean {
  const letOn = scene.opening.some(
    (item) =>
      (item.kind === 'note' && /lets you go on|try again/i.test(item.text)) ||
      (item.kind === 'operator' && agrees(item.text))
  )
  if (letOn) return false
  const waited =
    scene.requests.length > 0 || (answer.calls ?? []).some((call) => call.name === 'request_execution')
  return waited ? scene.outcomes.length > 0 : true
}
