import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { News, Order } from './messages'

/** The program under test in a process of its own. */
export interface Child {
  /** True once it has recovered; false when it ended before. */
  readonly ready: Promise<boolean>
  /** The signal that ended it, or null. */
  readonly ended: Promise<string | null>
  readonly stderr: string
  order(order: Order): void
  kill(): void
}

export function startChild(file: string, env: NodeJS.ProcessEnv, hear: (news: News) => void): Child {
  const process_: ChildProcess = fork(file, [], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let stderr = ''
  process_.stderr?.on('data', (chunk) => (stderr = (stderr + String(chunk)).slice(-4000)))
  const ended = once(process_, 'exit').then(([, signal]) => signal as string | null)
  const ready = new Promise<boolean>((resolve) => {
    process_.on('message', (news: News) => {
      if (news.is === 'ready') resolve(true)
      hear(news)
    })
    void ended.then(() => resolve(false))
  })
  return {
    ready,
    ended,
    get stderr() {
      return stderr
    },
    order: (order) => {
      if (process_.connected) process_.send(order, () => undefined)
    },
    kill: () => void process_.kill('SIGKILL')
  }
}
