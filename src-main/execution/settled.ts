import { isTerminal, type ExecutionView } from '../../src-preload/contract'
import type { Result } from '../base/result'
import type { Store } from '../store/store'

/** Resolves with the execution when it is terminal, when the time is over, or when `stopping` ends the wait. */
export function settled(
  store: Store,
  id: string,
  timeoutMs: number,
  stopping: AbortSignal,
  view: (id: string) => Result<ExecutionView>
): Promise<ExecutionView> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer)
      stop()
      stopping.removeEventListener('abort', finish)
      const found = view(id)
      if (found.ok) resolve(found.value)
      else reject(new Error(found.error.message))
    }
    const stop = store.bus.subscribe(({ event }) => {
      if (event.type !== 'execution.changed' || event.execution.id !== id) return
      if (isTerminal(event.execution.state)) finish()
    })
    const timer = setTimeout(finish, timeoutMs)
    stopping.addEventListener('abort', finish, { once: true })
    const now = view(id)
    if (!now.ok || isTerminal(now.value.state) || stopping.aborted) finish()
  })
}
