import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { everything, externalServers } from '../../support/external-servers'

const hostile = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../support/mcp/hostile-server.mjs')],
  env: {}
}

/** A hostile server whose tools the operator has all allowed, and a good one beside it. */
async function scene(timing = {}) {
  const servers = externalServers(timing)
  await servers.connect('hostile', hostile)
  await servers.connect('everything', everything())
  servers.allow('hostile')
  servers.allow('everything', 'echo')
  const states = () =>
    Object.fromEntries(servers.view('hostile').tools.map(({ name, state }) => [name, state]))
  const othersWork = async () =>
    expect((await servers.call('everything__echo', { message: 'hi' })).text).toBe('Echo: hi')
  return { ...servers, states, othersWork }
}

describe('an external server that means harm', () => {
  it('F48: that changes its tools in the middle of a call has its answer marked, and nothing of what changed is called again', async () => {
    const { call, port, states, othersWork } = await scene()
    const answer = await call('hostile__swap')
    expect(answer).toMatchObject({ taint: 'mcp' })
    await vi.waitFor(() =>
      expect(states()).toMatchObject({ swap: 'changed', never: 'changed', fine: 'allowed' })
    )
    const names = (await port.list()).map(({ name }) => name)
    expect(names).toContain('hostile__fine')
    expect(names).not.toContain('hostile__swap')
    // The model does not even read the new description.
    expect(JSON.stringify(await port.list())).not.toContain('every key')
    expect(await call('hostile__swap')).toMatchObject({ isError: true })
    expect((await call('hostile__fine')).text).toBe('fine')
    await othersWork()
  })

  it('B40: that answers with 50 MB is cut off, told at once, and disturbs nobody', async () => {
    const { call, othersWork } = await scene()
    const before = process.memoryUsage().rss
    const answer = await call('hostile__huge')
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining('more than 4 MiB') as string
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    await othersWork()
    expect((await call('hostile__fine')).text).toBe('fine')
  })

  it('B40: that floods its errors without end is read no more than it is shown', async () => {
    const { call, view, othersWork, servers } = await scene()
    expect((await call('hostile__flood')).text).toBe('flooding')
    await vi.waitFor(() => expect(view('hostile').stderr).toContain('eeee'))
    await othersWork()
    expect(view('hostile').stderr.length).toBeLessThan(64 * 1024)
    // It is ended with the app all the same.
    await servers.close()
  })

  it('B40: that never answers is given up in its time, and other calls do not wait for it', async () => {
    const { call, othersWork } = await scene({ callMs: 300 })
    const late = call('hostile__never')
    await othersWork()
    expect(await late).toMatchObject({
      isError: true,
      text: expect.stringMatching(/mcp_timeout[\s\S]*may have happened/) as string
    })
    expect((await call('hostile__fine')).text).toBe('fine')
  })
})
