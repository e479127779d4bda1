import { stillOpen, waiting } from './carry-out'
import { say, type Script } from './script'
import { firstLine, rowsIn } from './tables'
import { type Answer, type PlannedCall, type Requested, type Scene } from './talk'

/** The container that is meant: by its name in the list, however it is written. */
function nameIn(scene: Scene): string {
  const text = scene.request.toLowerCase()
  const names = rowsIn(scene.calls('list_lxcs').at(-1)?.result ?? '').map((row) => row['name'] ?? '')
  const loose = (name: string) => name.toLowerCase().replace(/[-_]/g, '[-_ ]?')
  const found = names.find((name) => name !== '' && new RegExp(`\\b${loose(name)}\\b`).test(text))
  if (found) return found
  if (/\bold[- ]?test\b/.test(text)) return 'old-test'
  const words = text.replace(/\b(please|the|container|lxc|ct|guest)\b/g, ' ')
  return /\b(?:destroy|delete|remove)\s+([a-z0-9-]+)/.exec(words)?.[1] ?? 'old-test'
}

const request = (action: string, name: string, why: string): PlannedCall => ({
  name: 'request_execution',
  args: { action, target: `lxc:${name}`, params: {}, why }
})

const isRunning = /\brunning\b|guest_running|shut[_ ]?down/i

function play(scene: Scene): Answer {
  if (scene.calls('list_lxcs').length === 0) {
    return { text: 'I look which container that is.', calls: [{ name: 'list_lxcs', args: {} }] }
  }
  const name = nameIn(scene)
  const last = scene.requests.at(-1)
  const destroy = request('pct_destroy', name, `The operator asked to destroy ${name}.`)
  if (!last) return { text: `That is **${name}**.`, calls: [destroy] }
  if (last.id === null) return afterRefusal(last, name)
  if (!last.outcome) return last.now ? say(waiting(last, sentence(last, name))) : stillOpen(scene, last)
  if (last.outcome.succeeded) {
    return last.action === 'pct_destroy'
      ? afterDestroy(scene, name)
      : {
          text: `${name} is shut down. Now it can be destroyed; that asks you once more, by name.`,
          calls: [destroy]
        }
  }
  if (/denied|expired/.test(last.outcome.how))
    return say(`All right: **${name}** stays as it is. Nothing was destroyed.`)
  if (last.action === 'pct_destroy' && isRunning.test(last.outcome.text)) return startedAgain(scene, name)
  return say(
    `${sentence(last, name)} ${last.outcome.how}: ${last.outcome.text || 'it gave no reason'}\n\nI stop here; ${name} was not destroyed.`
  )
}

const sentence = (last: Requested, name: string): string =>
  last.action === 'pct_destroy' ? `Destroying ${name}` : `Shutting ${name} down`

function afterRefusal(last: Requested, name: string): Answer {
  const why = firstLine(last.call.result).replace(/^Error\s+[a-z_]+:\s*/, '')
  if (last.action === 'pct_destroy' && isRunning.test(last.call.result)) {
    return {
      text: `It is running, so it cannot be destroyed yet. I shut it down first.`,
      calls: [
        request(
          'pct_shutdown',
          name,
          `A running container cannot be destroyed; ${name} has to be shut down first.`
        )
      ]
    }
  }
  if (last.action === 'pct_shutdown' && /not running|already/i.test(why)) {
    return {
      text: `${name} is stopped already.`,
      calls: [request('pct_destroy', name, `The operator asked to destroy ${name}.`)]
    }
  }
  return say(`That is not possible: ${why}\n\nNothing was changed.`)
}

/** The failure was read; before anything else the state is looked at. */
function startedAgain(scene: Scene, name: string): Answer {
  const looked = scene.callsNow('get_lxc_state').length > 0
  if (!looked) {
    return {
      text: `It was not destroyed: ${name} is running. I look at it before I do anything else.`,
      calls: [{ name: 'get_lxc_state', args: { target: `lxc:${name}` } }]
    }
  }
  return {
    text: `Something on the node has started ${name} again after it was shut down (it has onboot=1). I shut it down once more, then destroy it.`,
    calls: [
      request(
        'pct_shutdown',
        name,
        `${name} was started again by something on the node since it was shut down.`
      )
    ]
  }
}

function afterDestroy(scene: Scene, name: string): Answer {
  const listed = scene.callsNow('list_lxcs').at(-1)
  if (!listed) {
    return {
      text: 'It says that it is destroyed. I check.',
      calls: [
        { name: 'list_lxcs', args: {} },
        { name: 'get_lxc_state', args: { target: `lxc:${name}` } }
      ]
    }
  }
  const rows = rowsIn(listed.result)
  if (rows.some((row) => row['name'] === name))
    return say(
      `**${name} is still listed.** The command said that it was destroyed, so this needs a look on the node.`
    )
  const shutdowns = scene.requests.filter(
    (each) => each.action === 'pct_shutdown' && each.outcome?.succeeded
  ).length
  return say(
    [
      `**${name} is destroyed.** It is in no list any more, and its disk is removed.`,
      '',
      '- It was running, so it was shut down first',
      ...(shutdowns > 1
        ? ['- It had been started again by something on the node, so it was shut down a second time']
        : []),
      `- Then it was destroyed, with your approval for exactly that`,
      '',
      `${rows.length} containers remain. Its data cannot be brought back other than from a backup.`
    ].join('\n')
  )
}

export const destroy: Script = {
  example: 'destroy the old test container',
  matches: (text) => /\b(destroy|delete|remove)\b.*\b(container|lxc|ct|test|[a-z]+)\b/i.test(text),
  play
}
