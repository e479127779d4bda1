import type {
  Bootstrap,
  Bridge,
  MessageView,
  NomosEvent,
  SequencedEvent,
  SessionPage,
  SessionView
} from '@contract'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Client } from '../../../src-renderer/state/client.svelte'
import { Store } from '../../../src-renderer/state/store.svelte'
import { Sync } from '../../../src-renderer/state/sync.svelte'
import { noUsage } from '../../support/views'

const session: SessionView = {
  ...{ id: 's', title: 'Deploy', state: 'idle', createdAt: 1, updatedAt: 1 },
  ...{ model: null, bytes: 0 }
}
const message = (id: string, seq: number, text: string): MessageView => ({
  id,
  sessionId: 's',
  seq,
  role: 'assistant',
  kind: 'turn',
  state: 'streaming',
  createdAt: 1,
  finishedAt: null,
  parts: [{ type: 'text', text }]
})

/** A main process that answers what it is told and counts what it is asked. */
function mainProcess(messages: MessageView[]) {
  let listener: (event: SequencedEvent) => void = () => undefined
  let seq = 0
  const asked: string[] = []
  const boot = (): Bootstrap => ({
    version: '0',
    seq,
    settings: {
      config: {} as Bootstrap['settings']['config'],
      configPath: '',
      problems: [],
      secrets: { backend: 'memory', reason: null, names: [] },
      labRunning: false,
      model: null,
      models: []
    },
    sessions: [session],
    fleet: { hosts: [], guests: [], storages: [], refreshedAt: null },
    executions: [],
    plans: [],
    approvals: [],
    assents: [],
    signals: [],
    allowances: []
  })
  const page = (id: string): SessionPage => ({
    session: { ...session, id },
    messages: id === 's' ? messages.slice() : [],
    toolCalls: [],
    plans: [],
    executions: [],
    approvals: [],
    assent: null,
    activity: null,
    usage: noUsage,
    hasOlder: false
  })
  const request = async (route: string, input: { id: string }) => {
    asked.push(route)
    const data = route === 'app.bootstrap' ? boot() : route === 'app.newest_event' ? seq : page(input.id)
    await Promise.resolve()
    return { ok: true, data }
  }
  const bridge = {
    request,
    onEvent: (given: typeof listener) => {
      listener = given
      return () => undefined
    },
    platform: 'linux'
  } as unknown as Bridge
  return {
    bridge,
    asked,
    messages,
    /** An event that never arrives. */
    lose: () => void (seq += 1),
    emit: (event: NomosEvent, skip = 0) => {
      seq += 1 + skip
      listener({ seq, at: 0, event })
    }
  }
}

const delta = (offset: number, text: string, index = 0): NomosEvent => ({
  type: 'message.delta',
  sessionId: 's',
  messageId: 'm',
  index,
  offset,
  text
})

async function started(messages: MessageView[]) {
  const main = mainProcess(messages)
  const client = new Client(main.bridge)
  const store = new Store()
  const sync = new Sync(client, store, {
    current: () => 's',
    output: () => undefined,
    navigate: () => undefined,
    deleted: () => undefined,
    mcp: () => undefined,
    skill: () => undefined,
    soon: (run) => run()
  })
  sync.start()
  await vi.waitFor(() => expect(sync.phase).toBe('ready'))
  const textOf = (id = 'm') => {
    const part = store.transcripts.get('s')?.messages.get(id)?.parts[0]
    return part?.type === 'text' ? part.text : undefined
  }
  return { main, store, sync, textOf, client }
}

it('a page that is shown while Nomos starts asks nothing by itself: the start reads its session', async () => {
  const main = mainProcess([message('m', 1, 'The container')])
  const sync = new Sync(new Client(main.bridge), new Store(), {
    ...{ current: () => 's', output: () => undefined, navigate: () => undefined, deleted: () => undefined },
    ...{ mcp: () => undefined, skill: () => undefined, soon: (run: () => void) => run() }
  })
  sync.start()
  await sync.open('s')
  await vi.waitFor(() => expect(sync.phase).toBe('ready'))
  await sync.open('s')
  expect(main.asked).toEqual(['app.bootstrap', 'session.open'])
})

describe('events from the main process', () => {
  let app: Awaited<ReturnType<typeof started>>
  beforeEach(async () => {
    app = await started([message('m', 1, 'The container')])
  })

  it('adds streamed text where it belongs', () => {
    app.main.emit(delta(13, ' runs'))
    app.main.emit(delta(18, '.'))
    expect(app.textOf()).toBe('The container runs.')
    expect(app.main.asked).toEqual(['app.bootstrap', 'session.open'])
  })

  it('adds a part that begins', () => {
    app.main.emit(delta(0, 'Next', 1))
    expect(app.store.transcripts.get('s')?.messages.get('m')?.parts).toHaveLength(2)
  })

  it('changes nothing when the same text comes twice', () => {
    app.main.emit(delta(4, 'container'))
    expect(app.textOf()).toBe('The container')
    expect(app.main.asked).toHaveLength(2)
  })

  it('reads the session anew when text is missing', async () => {
    app.main.messages[0] = message('m', 1, 'The container runs and answers')
    app.main.emit(delta(20, 'answers'))
    await vi.waitFor(() => expect(app.textOf()).toBe('The container runs and answers'))
    expect(app.main.asked).toEqual(['app.bootstrap', 'session.open', 'session.open'])
  })

  it('resynchronises after a gap in the numbers', async () => {
    app.main.messages.push(message('later', 2, 'Missed'))
    app.main.emit({ type: 'session.changed', session: { ...session, title: 'Renamed' } }, 3)
    await vi.waitFor(() => expect(app.textOf('later')).toBe('Missed'))
    expect(app.main.asked.filter((route) => route === 'app.bootstrap')).toHaveLength(2)
  })

  it('finds out, when the window comes to the front, that the last event never arrived', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const boots = () => app.main.asked.filter((route) => route === 'app.bootstrap').length
    await app.sync.check()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(boots(), 'nothing was missed').toBe(1)

    app.main.messages.push(message('later', 2, 'Missed'))
    app.main.lose()
    await app.sync.check()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(boots()).toBe(2)
    expect(app.textOf('later')).toBe('Missed')
  })

  it('ignores an event that was already applied', () => {
    app.sync.receive({ seq: 0, at: 0, event: { type: 'session.deleted', sessionId: 's' } })
    expect(app.store.sessions.has('s')).toBe(true)
  })

  it('keeps events that come while everything is read anew', async () => {
    void app.sync.resync()
    app.main.emit({ type: 'session.changed', session: { ...session, title: 'Meanwhile' } })
    await vi.waitFor(() => expect(app.store.sessions.get('s')?.title).toBe('Meanwhile'))
  })

  it('forgets everything of a deleted session, so that nothing of it is shown again', () => {
    app.main.emit({ type: 'session.deleted', sessionId: 's' })
    expect(app.store.sessions.size).toBe(0)
    expect(app.store.transcripts.size).toBe(0)
  })

  it('holds the messages of the sessions that were opened last, and reads an older one anew', async () => {
    for (const id of ['s', 'a', 'b', 'c', 'd']) await app.sync.open(id)
    expect(app.store.transcripts.has('s')).toBe(true)
    await app.sync.open('e')
    expect(app.store.transcripts.has('s')).toBe(false)
    await app.sync.open('s')
    expect(app.textOf()).toBe('The container')
  })

  it('lets go the oldest of many messages once the newest are read, and knows that there are older', () => {
    const transcript = app.store.transcript('s')
    transcript.putAll(Array.from({ length: 700 }, (_, n) => message(`n${n}`, n + 10, '')))
    transcript.trim()
    expect(transcript.messages.size).toBe(200)
    expect(transcript.oldestSeq).toBe(510)
    expect(transcript.hasOlder).toBe(true)
    transcript.trim()
    expect(transcript.messages.size).toBe(200)
  })

  it('orders messages by their place in the session', () => {
    app.main.emit({ type: 'message.changed', message: message('z', 3, 'third') })
    app.main.emit({ type: 'message.changed', message: message('a', 2, 'second') })
    expect(app.store.transcripts.get('s')?.order.map((entry) => entry.id)).toEqual(['m', 'a', 'z'])
    app.main.emit({ type: 'message.removed', sessionId: 's', messageId: 'a' })
    expect(app.store.transcripts.get('s')?.order.map((entry) => entry.id)).toEqual(['m', 'z'])
  })

  it('says so when the main process cannot be reached', async () => {
    const client = new Client({
      request: () => Promise.reject(new Error('gone')),
      onEvent: () => () => undefined,
      platform: 'linux'
    })
    const sync = new Sync(client, new Store(), {
      current: () => null,
      output: () => undefined,
      navigate: () => undefined,
      deleted: () => undefined,
      mcp: () => undefined,
      skill: () => undefined
    })
    sync.start()
    await vi.waitFor(() => expect(sync.phase).toBe('failed'))
    expect(sync.error?.code).toBe('no_answer')
  })
})
