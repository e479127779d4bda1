import { messageOf } from '../../base/result'
import { findAction } from '../actions/registry'
import { parseTarget } from '../../fleet/target-name'
import type { Context } from '../context'
import { titleOf, type ExecutionRow } from '../execution-row'
import { Locks } from '../locks'
import { placeKey } from '../scope'
import { update } from '../transitions'

const clusterKey = (row: ExecutionRow): string => `cluster/${row.cluster ?? row.host}`

function targetKey({ target, host, cluster, vmid }: ExecutionRow): string {
  const name = parseTarget(target)
  return placeKey({ target: name.ok ? name.value : { kind: 'host' }, host, cluster: cluster ?? host, vmid })
}

/** Where approved executions wait for their turn; each says what it waits for. */
export class Queue {
  private readonly locks = new Locks()
  /** Ends the wait of each that waits. */
  private readonly waits = new Map<string, AbortController>()
  private closed = false

  constructor(private readonly context: Context) {}

  /**
   * Resolves when nobody else acts on the same thing, with the function that lets the next one in; null when the wait
   * was ended. Reading waits for nobody.
   */
  async enter(row: ExecutionRow): Promise<(() => void) | null> {
    if (row.risk === 'read_only') return () => undefined
    const wait = new AbortController()
    this.waits.set(row.id, wait)
    const action = findAction(row.action)
    const keys = [targetKey(row)]
    if (action.ok && action.value.serialise === 'cluster') keys.push(clusterKey(row))
    const leave = await this.locks.acquire({
      keys,
      owner: row.id,
      signal: wait.signal,
      onWait: (ahead, key) => this.note(row.id, ahead, key === clusterKey(row))
    })
    this.waits.delete(row.id)
    this.clear(row.id)
    return leave
  }

  /** Ends the wait of one execution. */
  leave(id: string): void {
    this.waits.get(id)?.abort()
  }

  /** Ends every wait; what is written stays as it is. */
  close(): void {
    this.closed = true
    for (const wait of this.waits.values()) wait.abort()
  }

  private note(id: string, ahead: string, isCluster: boolean): void {
    const other = this.context.executions.row(ahead)
    if (!other) return
    const waitsFor = {
      executionId: ahead,
      title: titleOf(other),
      because: isCluster ? 'cluster' : 'target'
    } as const
    this.write(id, () => this.context.store.transact((tx) => update(this.context, tx, id, { waitsFor })))
  }

  private clear(id: string): void {
    if (this.context.executions.row(id)?.waits_for == null) return
    this.write(id, () =>
      this.context.store.transact((tx) => update(this.context, tx, id, { waitsFor: null }))
    )
  }

  /** What is told of the wait is worth less than the wait: a disk that is full does not end it. */
  private write(id: string, change: () => unknown): void {
    if (this.closed) return
    try {
      change()
    } catch (error) {
      this.context.log.log('error', 'execution', `wait not written: ${messageOf(error)}`, { id })
    }
  }
}
