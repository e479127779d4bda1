import { firstLine } from './tables'
import { agrees, refuses, say } from './script'
import { type Answer, type Call, idIn, type PlannedCall, refusal, type Requested, type Scene } from './talk'

/** How a scene words a plan that it carries out step by step. */
export interface PlanWords {
  readonly steps: number
  /** What is said under the proposed plan. */
  readonly asks: string
  /** What is said before a step is requested. */
  readonly before: (step: number) => string
  /** What verifies the goal, once every step has succeeded. */
  readonly verify: readonly PlannedCall[]
  readonly report: (checks: readonly Call[], scene: Scene) => string
}

/** Longer, at pace 1, than unattended-upgrades holds its lock. */
const lockWaitMs = 3200

const aptLocked = /lock of the package manager|Could not get lock|apt_locked|dpkg frontend lock/i

/** The newest plan that was really proposed, with its call. */
export function proposedPlan(scene: Scene): { id: string; call: Call } | null {
  const call = scene
    .calls('propose_plan')
    .findLast((each) => refusal(each) === null && idIn(each.result, 'plan') !== null)
  const id = call ? idIn(call.result, 'plan') : null
  return call && id ? { id, call } : null
}

/** Plays an approved plan to its end: each step once, again where a lock was held, then verification and report. */
export function carryOut(scene: Scene, plan: { id: string; call: Call }, words: PlanWords): Answer {
  const justProposed = scene.callsNow('propose_plan').includes(plan.call)
  if (justProposed && !/is approved|"state"\s*:\s*"approved"/.test(plan.call.result)) return say(words.asks)
  const denied = scene.notes.find((note) => new RegExp(`plan ${plan.id}[^\\n]*was denied`, 'i').test(note))
  if (denied)
    return say(
      `All right, nothing was changed. ${reasonIn(denied)}Tell me what the plan should look like instead.`
    )
  const latest = scene.later.at(-1)
  if (latest !== undefined && refuses(latest) && scene.opening.some((item) => item.kind === 'operator')) {
    return say('I stop here. What was done so far stays as it is; tell me how to go on.')
  }
  const mine = scene.requests.filter((request) => request.planId === plan.id)
  for (let step = 1; step <= words.steps; step++) {
    const tries = mine.filter((request) => request.step === step)
    const done = tries.some(
      (request) => request.outcome?.succeeded || /plan_step_done/.test(request.call.result)
    )
    if (!done) return stepAnswer(scene, plan.id, step, tries, words)
  }
  return verified(scene, words)
}

const reasonIn = (note: string): string => {
  const reason = /was denied by the operator:\s*(.+)/.exec(note)?.[1]
  return reason ? `I understood: ${reason.trim().replace(/[.!]*$/, '.')} ` : ''
}

function stepAnswer(
  scene: Scene,
  planId: string,
  step: number,
  tries: readonly Requested[],
  words: PlanWords
): Answer {
  const request: PlannedCall = { name: 'request_execution', args: { plan_id: planId, step } }
  const last = tries.at(-1)
  if (!last) return { text: words.before(step), calls: [request] }
  if (last.id === null) return refusedStep(scene, last, step, request)
  if (last.now) return say(waiting(last, `Step ${step}`))
  if (!last.outcome) return stillOpen(scene, last)
  const failure = `${last.outcome.text}\n${lastStatus(scene, last.id)}`
  const looked = scene.callsNow('get_execution_status').length > 0
  if (!looked) {
    return {
      text: `Step ${step} ${last.outcome.how}. I look at what it printed.`,
      calls: [{ name: 'get_execution_status', args: { execution_id: last.id } }]
    }
  }
  if (aptLocked.test(failure)) {
    return {
      text: `The package manager's lock is held by unattended-upgrades, which runs in every fresh container for a moment. I waited for it and do step ${step} again.`,
      calls: [request],
      thinkMs: lockWaitMs
    }
  }
  if (goesOn(scene)) return { text: `I do step ${step} again.`, calls: [request] }
  return say(
    `Step ${step} ${last.outcome.how}: ${last.outcome.text || 'it gave no reason'}\n\nI stop here, so that nothing is built on it. Say "continue" to try it again, or tell me what to do instead.`
  )
}

/** The operator, or the app in the operator's name, lets it go on. */
const goesOn = (scene: Scene): boolean =>
  scene.opening.some(
    (item) =>
      (item.kind === 'operator' && agrees(item.text)) ||
      (item.kind === 'note' && /lets you go on|try again/i.test(item.text))
  )

const lastStatus = (scene: Scene, id: string | null): string =>
  scene.calls('get_execution_status').findLast((call) => call.args['execution_id'] === id)?.result ?? ''

function refusedStep(scene: Scene, last: Requested, step: number, request: PlannedCall): Answer {
  const why = firstLine(last.call.result)
  if (/plan_not_approved/.test(why) && !last.now)
    return { text: `I go on with step ${step}.`, calls: [request] }
  if (!last.now && goesOn(scene)) return { text: `I try step ${step} again.`, calls: [request] }
  if (/plan_not_approved/.test(why))
    return say('The plan still waits for your approval. Approve it on its card, or type "run all yourself".')
  return say(
    `Step ${step} could not be requested. ${why.replace(/^Error\s+[a-z_]+:\s*/, '')}\n\nNothing was changed by it.`
  )
}

/** What is said after a request, by how it stands. */
export function waiting(request: Requested, what: string): string {
  return /awaiting_approval/.test(request.call.result)
    ? `${what} needs your approval: its card shows exactly what will run. I go on by myself when you have decided.`
    : `${what} is running. I go on by myself when its result is there.`
}

/** A turn that has begun for another reason while an execution is open: look, then say so. */
export function stillOpen(scene: Scene, last: Requested): Answer {
  if (scene.callsNow('get_execution_status').length > 0 || last.id === null) {
    return say('It is still open. I go on by myself when its result is there.')
  }
  return {
    text: 'I look at how it stands.',
    calls: [{ name: 'get_execution_status', args: { execution_id: last.id } }]
  }
}

function verified(scene: Scene, words: PlanWords): Answer {
  const names = [...new Set(words.verify.map((call) => call.name))]
  const lastStep = scene.items.findLastIndex(
    (item) => item.kind === 'call' && item.name === 'request_execution'
  )
  const checks = scene.items
    .slice(lastStep)
    .filter((item): item is Call => item.kind === 'call' && names.includes(item.name))
  if (checks.length === 0 && words.verify.length > 0) {
    return { text: 'Every step has succeeded. I verify that the goal is met.', calls: words.verify }
  }
  return say(words.report(checks, scene))
}
