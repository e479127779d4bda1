import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createToolPort } from '../../../src-main/mcp/tool-port'
import type { Tool, ToolContext } from '../../../src-main/tools/tool'
import { contextOf, echo, endless, exampleTool, gatewayOf } from './example-tools'

function portOf(...tools: readonly Tool[]) {
  const port = createToolPort(gatewayOf(...tools), '1.2.3')
  onTestFinished(() => port.close())
  return port
}

describe('the agent at the gateway', () => {
  it('lists tools with their input schemas', async () => {
    const [tool] = await portOf(echo()).list()
    expect(tool).toMatchObject({
      name: 'echo',
      readOnly: true,
      inputSchema: { type: 'object', required: ['word'], additionalProperties: false }
    })
    expect(JSON.stringify(tool?.inputSchema)).not.toContain('$schema')
  })

  it('hands over its turn and gets back what the result means for it', async () => {
    const calls: ToolContext[] = []
    const outcome = await portOf(echo(calls)).call(
      'echo',
      { word: 'hi', times: 2 },
      contextOf({ tainted: true })
    )
    expect(outcome).toEqual({
      text: 'hi hi',
      structured: { words: ['hi', 'hi'] },
      taint: 'web',
      endsTurn: true,
      card: { type: 'plan', id: 'p1' }
    })
    expect(calls[0]).toMatchObject({
      sessionId: 's1',
      messageId: 'm1',
      origin: 'agent',
      client: 'agent',
      tainted: true
    })
  })

  it('B42: an unknown tool is an error that names near tools', async () => {
    const port = portOf(echo(), exampleTool('list_lxcs'))
    for (const [name, told] of [
      ['list_lxc', /list_lxcs/],
      ['__proto__', /no tool named "__proto__"/],
      ['constructor', /no tool/],
      ['x'.repeat(5000), /no tool/]
    ] as const) {
      const outcome = await port.call(name, {}, contextOf())
      expect(outcome.isError).toBe(true)
      expect(outcome.text).toMatch(/^Error tool_unknown/)
      expect(outcome.text).toMatch(told)
      expect(outcome.text.length).toBeLessThan(500)
    }
  })

  it('B42: wrong, missing and superfluous arguments are named, with what the tool takes', async () => {
    const port = portOf(echo())
    const outcome = await port.call('echo', { wrod: 'x', times: 99, names: [1] }, contextOf())
    expect(outcome.isError).toBe(true)
    expect(outcome.text).toContain('Error invalid_arguments')
    expect(outcome.text).toMatch(/- word: /)
    expect(outcome.text).toMatch(/- times: /)
    expect(outcome.text).toMatch(/- names\[0\]: /)
    expect(outcome.text).toContain('- wrod: there is no such field; did you mean word?')
    expect(outcome.text).toContain('It takes: word: string, times?: integer, names?: string[].')
  })

  it('takes null for a field left out, and JSON in a string, as what is meant', async () => {
    const outcome = await portOf(echo()).call('echo', { word: 'a', times: null, names: '["b"]' }, contextOf())
    expect(outcome).toMatchObject({ text: 'a' })
    expect(outcome.isError).toBeUndefined()
  })

  it('B42: arguments of 5 MB are refused', async () => {
    const outcome = await portOf(echo()).call('echo', { word: 'x'.repeat(5_000_000) }, contextOf())
    expect(outcome).toMatchObject({
      isError: true,
      text: expect.stringContaining('arguments_too_large') as string
    })
  })

  it('B42: of 200 calls at once every one is answered, those beyond the limit with an error', async () => {
    const port = portOf(echo())
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => port.call('echo', { word: 'x' }, contextOf()))
    )
    expect(outcomes).toHaveLength(200)
    for (const outcome of outcomes)
      expect(outcome.isError ? outcome.text : 'x').toMatch(outcome.isError ? /too_many_calls/ : /x/)
    expect(outcomes.some((outcome) => !outcome.isError)).toBe(true)
  })

  it('ends a call that takes too long with an error, and tells the tool', async () => {
    let told = false
    const outcome = await portOf(endless(20, () => (told = true))).call('endless', {}, contextOf())
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('tool_timeout') as string })
    expect(told).toBe(true)
  })

  it('is aborted with the turn', async () => {
    const stop = new AbortController()
    const call = portOf(endless(60_000)).call('endless', {}, contextOf({ signal: stop.signal }))
    stop.abort()
    expect(await call).toMatchObject({ isError: true, text: expect.stringContaining('aborted') as string })
    const before = await portOf(echo()).call('echo', { word: 'x' }, contextOf({ signal: stop.signal }))
    expect(before).toMatchObject({ isError: true, text: expect.stringContaining('aborted') as string })
  })

  it('never throws: not when a tool throws, not when its data does not fit its schema', async () => {
    const port = portOf(
      exampleTool('throws', { run: () => Promise.reject(new Error('boom')) }),
      exampleTool('throws_at_once', {
        run: () => {
          throw new Error('bang')
        }
      }),
      exampleTool('lies', {
        output: z.object({ n: z.number() }),
        run: () => Promise.resolve({ text: 'x', structured: { n: 'one' } })
      }),
      exampleTool('silent', { output: z.object({ n: z.number() }) }),
      exampleTool('fails', {
        output: z.object({ n: z.number() }),
        run: () => Promise.resolve({ text: 'no', isError: true })
      })
    )
    expect((await port.call('throws', {}, contextOf())).text).toContain('boom')
    expect((await port.call('throws_at_once', {}, contextOf())).text).toContain('bang')
    expect((await port.call('lies', {}, contextOf())).text).toContain('tool_output_invalid')
    expect((await port.call('silent', {}, contextOf())).text).toContain('tool_output_invalid')
    expect(await port.call('fails', {}, contextOf())).toEqual({ text: 'no', isError: true })
  })

  it('B37: tools with impossible or taken names are not served', async () => {
    const names = ['echo', 'echo', '__proto__', 'with space', '', 'x'.repeat(300), 'a;b', 'ok.name-1']
    const listed = await portOf(...names.map((name) => exampleTool(name))).list()
    expect(listed.map((tool) => tool.name)).toEqual(['echo', 'ok.name-1'])
  })

  it('connects anew after the connection was closed', async () => {
    const gateway = gatewayOf(echo())
    const port = createToolPort(gateway, '1.2.3')
    onTestFinished(() => port.close())
    expect((await port.call('echo', { word: 'a' }, contextOf())).text).toBe('a')
    await gateway.close()
    expect((await port.call('echo', { word: 'b' }, contextOf())).text).toBe('b')
  })

  it('has a sentence for every call, also one that cannot work', () => {
    const port = portOf(
      exampleTool('look', { sentence: () => ({ sentence: `Looking\nat ${'x'.repeat(300)}`, object: 'x' }) }),
      echo()
    )
    expect(port.sentence('look', {}).sentence).toMatch(/^Looking at x+…$/)
    expect(port.sentence('echo', { word: 5 })).toEqual({ sentence: 'Calling echo', object: 'echo' })
    expect(port.sentence('nothing', null)).toEqual({ sentence: 'Calling nothing', object: 'nothing' })
  })
})
