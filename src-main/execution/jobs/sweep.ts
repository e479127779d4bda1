import { messageOf } from '../../base/result'
import type { Context } from '../context'
import type { JobClient } from './job-client'

const week = 7 * 24 * 60 * 60 * 1000
const mostAtOnce = 100

/** Removes the folders of jobs whose result was read a week ago. A host that cannot be asked is left for later. */
export async function sweep(context: Context, client: JobClient, signal: AbortSignal): Promise<void> {
  const away = new Set<string>()
  try {
    for (const row of context.executions.uncleaned(context.clock.now() - week, mostAtOnce)) {
      if (signal.aborted) return
      if (away.has(row.host)) continue
      const cleaned = await client.clean(row.host, row.id)
      if (signal.aborted) return
      if (cleaned.ok)
        context.store.transact(() => context.executions.markCleaned(row.id, context.clock.now()))
      else away.add(row.host)
    }
  } catch (error) {
    context.log.log('warn', 'execution', `sweep: ${messageOf(error)}`)
  }
}
