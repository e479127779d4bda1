import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signalKinds, type AppError, type SignalView } from '../../../src-preload/contract'
import { proofIds } from '../../../src-main/execution/actions/proof'
import { actions } from '../../../src-main/execution/actions/registry'
import { rule } from '../../../src-main/execution/policy'
import { classifyCommand } from '../../../src-main/execution/shell/classify'
import { reasonIds } from '../../../src-main/execution/shell/reasons'
import { createTools, type ToolDependencies } from '../../../src-main/tools'
import { german } from '../../../src-main/words/de'
import { Facts } from '../../../src-main/words/facts'
import { wordsIn } from '../../../src-main/words/language'
import { actions as inWindow } from '../../../src-renderer/lib/text/de/actions'
import { approvalView, executionView, planView } from '../../support/views'

const words = wordsIn('de')
const root = join(import.meta.dirname, '../../../src-main')

/** Words of English that no German sentence of ours has. */
const english = /\b(?:the|is|not|of|on|it|and|with|cannot|at once|request)\b/i
const isGerman = (text: string) => expect(text, text).not.toMatch(english)

/** Every code that a failure can have, read in the sources: who adds one is told here. */
function codesInSources(): readonly string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^(?:lab|words|cli)\//.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
  const made = /\b(?:fail|failure|notice|failureOf)\(\s*'([a-z0-9_]+)'|\bcode: '([a-z0-9_]+)'/g
  const found = files.flatMap((text) => [...text.matchAll(made)].map((match) => match[1] ?? match[2] ?? ''))
  return [...new Set(found)].sort()
}

/** Codes that only models and other MCP clients read: results of tools are shown as the model saw them. */
const forModels = new Set([
  ...['tool_failed', 'tool_timeout', 'tool_unknown', 'tool_output_invalid', 'invalid_arguments'],
  ...[
    'arguments_too_large',
    'rate_limited',
    'too_many_calls',
    'not_yours',
    'fetch_limit',
    'url_carries_data'
  ],
  ...['too_many_redirects', 'http_status', 'not_text', 'too_large', 'address_blocked', 'fetch_timeout'],
  ...['fetch_failed', 'offset_beyond_end'],
  // Zod's own word for a check written by hand.
  'custom'
])

describe('in German', () => {
  it.each(actions.map((action) => [action.name, action] as const))(
    'the action %s has a title, sentences, and a word for each param',
    (name, action) => {
      const said = words.action({
        ...{ name, title: action.title, description: action.description, risk: action.baseRisk },
        ...{ targets: action.targets, params: z.toJSONSchema(action.params, { io: 'input' }) }
      })
      isGerman(said.title)
      const inALine: Readonly<Record<string, string>> = inWindow
      expect(inALine).toHaveProperty([name])
      isGerman(inALine[name] ?? '')
      for (const text of JSON.stringify(said.params).matchAll(/"description":"([^"]*)"/g))
        isGerman(text[1] ?? '')
      const execution = words.execution(executionView({ action: name, title: 'English', undo: 'English' }))
      isGerman(execution.title)
      isGerman(execution.undo)
      expect(execution.title).not.toContain('English')
      expect(execution.undo).not.toContain('English')
    }
  )

  it('no action is said that is none', () => {
    const names = new Set(actions.map(({ name }) => name))
    expect(Object.keys(german.actions).filter((name) => !names.has(name))).toEqual([])
  })

  it.each(signalKinds)('the signal %s has a sentence', (kind) =>
    expect(german.signals[kind]).toBeTypeOf('function')
  )

  it.each([...reasonIds.map((id) => `reason.${id}`), ...proofIds.map((id) => `proof.${id}`)])(
    '%s is said',
    (id) => {
      const said = german.sayings[id]?.(new Facts({})) ?? ''
      expect(said).not.toBe('')
      isGerman(said)
    }
  )

  it.each(codesInSources().filter((code) => !forModels.has(code)))(
    'the error %s is said, with and without facts',
    (code) => {
      const say = german.errors[code]
      expect(say, `words/de/errors has nothing for ${code}`).toBeTypeOf('function')
      for (const facts of [
        {},
        { host: 'strong', guest: 'caddy (101) auf strong', name: 'x', line: 'x', why: 'x' }
      ]) {
        const { message, hint = '' } = say?.(new Facts(facts)) ?? { message: '' }
        expect(message).toMatch(/[.!?]$/)
        isGerman(message)
        isGerman(hint)
      }
    }
  )

  it('the codes that only models read are codes', () => {
    const codes = new Set(codesInSources())
    expect([...forModels].filter((code) => !codes.has(code))).toEqual([])
  })

  it('every tool is said while it runs', () => {
    const tools = createTools({
      executions: { actions: () => [] },
      external: () => []
    } as unknown as ToolDependencies)
    expect(tools.map(({ name }) => name).filter((name) => german.tools[name] === undefined)).toEqual([])
  })

  it('a card says title, undo, rule and reasons, and keeps what the decision is bound to', () => {
    const command = 'rm -rf /srv/old'
    const asked = executionView({
      ...{
        action: 'run',
        target: 'host:strong',
        title: `Run "${command}" on strong`,
        undo: 'Depends on the command.'
      },
      ...{ vmid: null, guestName: null, risk: 'destructive', params: { command }, found: { line: command } }
    })
    const said = words.execution(asked)
    expect(said).toEqual({
      ...asked,
      title: '„rm -rf /srv/old“ auf strong ausführen',
      undo: 'Hängt vom Befehl ab.'
    })

    const { said: reasons } = classifyCommand(command)
    const ruling = rule([], { risk: 'destructive', host: 'strong', targets: ['host:strong'] })
    const approval = approvalView({
      risk: 'destructive',
      rule: 'English',
      ruleSaid: [ruling.said, ...reasons]
    })
    expect(words.approval(approval)).toEqual({
      ...approval,
      rule:
        'Was nicht umkehrbar ist, fragt immer und jedes Mal einzeln. rm entfernt ohne Rückfrage. ' +
        'rm steht, so verwendet, nicht auf der Liste dessen, was nur liest und keine Geheimnisse zeigt.'
    })
  })

  it('a rule of the operator is said with what it is about', () => {
    const ruling = rule([{ decision: 'ask', risk: 'service_action', target: 'lxc:*' }], {
      ...{ risk: 'service_action', host: 'strong', targets: ['lxc:caddy'] }
    })
    const approval = approvalView({ ruleSaid: [ruling.said] })
    expect(words.approval(approval).rule).toBe('Ihre Regel: Dienstaktionen bei lxc:* fragen.')
  })

  it('what was read back is said, also where it is why an execution failed', () => {
    const error: AppError = { code: 'verification_failed', message: 'English', hint: 'English' }
    const summary = 'typetype (105) on strong is stopped.'
    const proof = { ok: false, summary, said: { id: 'proof.guest_is', facts: { status: 'stopped' } } }
    const { verification, error: said } = words.execution(executionView({ verification: proof, error }))
    expect(verification?.summary).toBe('Der Gast ist gestoppt.')
    expect(said?.message).toContain('Der Gast ist gestoppt.')
  })

  it('of a signal numbers are written as in German', () => {
    const facts = {
      storage: 'local',
      node: 'strong',
      percent: 96,
      free: 1.5 * 1024 ** 3,
      total: 94 * 1024 ** 3
    }
    const signal = { ...nearlyFull, facts }
    expect(words.signal(signal)).toMatchObject({
      title: 'Speicher local von strong ist zu 96 % voll',
      detail: '1,5 GiB von 94,0 GiB sind frei.'
    })
  })

  it('rows of earlier versions, which have no facts, stay as they are', () => {
    expect(words.signal({ ...nearlyFull, facts: {} })).toEqual({ ...nearlyFull, facts: {} })
    const approval = approvalView({ ruleSaid: [] })
    expect(words.approval(approval)).toEqual(approval)
  })

  it('a code that nobody knows keeps its own words', () => {
    const error: AppError = { code: 'brand_new', message: 'Something.', hint: 'Do this.' }
    expect(words.error(error)).toEqual(error)
  })
})

describe('in English', () => {
  it('everything stays as the core says it', () => {
    const words = wordsIn('en')
    const error: AppError = { code: 'guest_gone', message: 'Gone.', hint: 'Look.' }
    const execution = executionView({ error, verification: { ok: true, summary: 'It runs.' } })
    expect(words.execution(execution)).toEqual(execution)
    expect(words.approval(approvalView())).toEqual(approvalView())
    expect(words.plan(planView())).toEqual(planView())
    expect(words.signal(nearlyFull)).toEqual(nearlyFull)
    expect(words.error(error)).toEqual(error)
  })
})

const nearlyFull: SignalView = {
  ...{ id: 's', kind: 'storage_full', level: 'critical', target: 'host:strong', host: 'strong' },
  ...{ title: 'Storage local of strong is 96 % full', detail: '1.5 GiB of 94.0 GiB are free.', facts: {} },
  ...{
    action: null,
    state: 'open',
    count: 1,
    openedAt: 1,
    changedAt: 1,
    acknowledgedAt: null,
    resolvedAt: null
  },
  ...{ executionId: null, quiet: false }
}
