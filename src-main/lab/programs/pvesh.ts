import { type Call, die, type Programs } from '../shell/program'
import { pveArguments } from './options'
import { drawn } from './pvesh-table'
import { resourceAt } from './pvesh-paths'

/**
 * `pvesh get PATH --output-format json`. Without the format it draws a table. Only reading is simulated: everything
 * that changes goes through `pct` and `qm`.
 */
function pvesh(call: Call): number {
  const [verb = '', path = '', ...rest] = call.args
  if (!['get', 'ls', 'create', 'set', 'delete', 'usage'].includes(verb))
    return die(call, `ERROR: unknown command 'pvesh ${verb}'`)
  const parsed = pveArguments(
    rest.filter((arg) => arg !== '--noproxy' && arg !== '-noproxy'),
    /./,
    0
  )
  if (!parsed.ok) return die(call, parsed.text)
  call.wait(350)
  const parts = path.replace(/\/+$/, '').split('/').filter(Boolean)
  const answer = resourceAt(call, parts, parsed.set)
  if (answer === undefined || verb === 'ls') return die(call, `no such resource '/${parts.join('/')}'`, 2)
  if (verb !== 'get') return die(call, `no '${verb}' handler for '/${parts.join('/')}'`, 255)
  if ('error' in answer) return die(call, answer.error)
  if (parsed.set['quiet'] !== undefined) return 0
  const format = parsed.set['output-format'] ?? 'text'
  if (format === 'json') call.out(`${JSON.stringify(answer.data)}\n`)
  else if (format === 'json-pretty') call.out(`${JSON.stringify(answer.data, null, 3)}\n`)
  else call.out(drawn(answer.data))
  return 0
}

export const pveshPrograms: Programs = { pvesh: { run: pvesh, on: 'node' } }
