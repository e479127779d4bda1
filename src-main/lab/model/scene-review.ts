import { say, type Script } from './script'
import type { Answer, Scene } from './talk'

/** The findings that head a session's record, the gravest first; numbered lists of the messages below are none. */
const findingsIn = (record: string): string[] => {
  const [, list = ''] = /^Findings, [^\n]*\n((?:\d+\. [^\n]+\n?)+)/m.exec(record) ?? []
  return [...list.matchAll(/^\d+\. (.+)$/gm)].map(([, finding = '']) => finding)
}

/** Reads the skill and the record, and reports what the record says of itself. */
function play(scene: Scene): Answer {
  const [skill] = scene.calls('load_skill')
  const [record] = scene.calls('get_session')
  if (!skill) return { calls: [{ name: 'load_skill', args: { name: 'session-review' } }] }
  if (!record) {
    const id = /\(([0-9a-f-]{36})\)/.exec(scene.request)?.[1] ?? ''
    return { calls: [{ name: 'get_session', args: { session_id: id } }] }
  }
  const [root, ...further] = findingsIn(record.result)
  const counted = /^Counted by the app.*$/m.exec(record.result)?.[0] ?? ''
  if (root === undefined) return say(`No cause of a failure stands out in the record.\n\n${counted}`)
  return say(
    [
      `**Root cause.** ${root}`,
      ...(further.length === 0
        ? []
        : [`**Further causes**\n\n${further.map((each, index) => `${index + 2}. ${each}`).join('\n')}`]),
      counted
    ].join('\n\n')
  )
}

export const review: Script = {
  example: 'review a session (from its menu)',
  matches: (text) => /\bsession-review\b/i.test(text),
  play
}
