import { carryOut, proposedPlan } from './carry-out'
import { say, type Script } from './script'
import { firstLine } from './tables'
import { type Answer, refusal, type Scene } from './talk'

interface Waiting {
  readonly name: string
  readonly target: string
  readonly text: string
}

/** Lines such as `caddy (lxc:101@strong): 2 updates, …`. */
const waitingIn = (text: string): Waiting[] =>
  [...text.matchAll(/^(\S+) \((lxc:[^)]+)\): (\d+ updates?[^\n]*)$/gm)].map(
    ([, name = '', target = '', updates = '']) => ({ name, target, text: updates })
  )

function play(scene: Scene): Answer {
  const [updates] = scene.calls('list_updates')
  if (!updates)
    return {
      text: 'I look which containers have updates waiting.',
      calls: [{ name: 'list_updates', args: {} }]
    }
  const waiting = waitingIn(updates.result)
  if (waiting.length === 0) return say(`Nothing is waiting: ${firstLine(updates.result)}.`)
  const plan = proposedPlan(scene)
  const refused = scene
    .callsNow('propose_plan')
    .map(refusal)
    .find((each) => each !== null)
  if (!plan && refused)
    return say(
      `The plan cannot be carried out like this: ${firstLine(refused).replace(/^Error\s+[a-z_]+:\s*/, '')}\n\nNothing was changed.`
    )
  if (!plan) {
    return {
      text: 'One upgrade for each container that has something waiting:',
      calls: [
        {
          name: 'propose_plan',
          args: {
            title: `Upgrade ${waiting.length} containers`,
            summary: waiting
              .map((each) => `${each.name}: ${each.text}`)
              .join('\n')
              .slice(0, 3900),
            steps: waiting.map((each) => ({
              action: 'apt_upgrade',
              target: each.target,
              params: {},
              why: each.text.slice(0, 200)
            }))
          }
        }
      ]
    }
  }
  return carryOut(scene, plan, {
    steps: waiting.length,
    asks: `${waiting.length} containers have updates: ${waiting.map((each) => each.name).join(', ')}. Approve the plan on its card, or type "run all yourself".`,
    before: (step) => `Upgrading ${waiting[step - 1]?.name ?? `step ${step}`}.`,
    verify: [{ name: 'list_updates', args: {} }],
    report: (checks) =>
      `**Everything is upgraded.**\n\n> ${firstLine(checks.at(-1)?.result ?? '')}\n\nUpgraded: ${waiting.map((each) => each.name).join(', ')}.`
  })
}

export const update: Script = {
  example: 'update everything',
  matches: (text) => /\b(update|upgrade)\b.*\b(everything|all|containers|them)\b/i.test(text),
  play
}
