import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Locks, type LockRequest } from '../../../src-main/execution/locks'

const never = new AbortController().signal
const of = (keys: readonly string[], signal: AbortSignal): LockRequest => ({ keys, owner: 'test', signal })

describe('locks', () => {
  it('let one at a time have a key, in the order in which they came', async () => {
    const locks = new Locks()
    const order: string[] = []
    const work = async (name: string, keys: readonly string[]) => {
      const release = await locks.acquire(of(keys, never))
      order.push(name)
      await Promise.resolve()
      release?.()
    }
    await Promise.all([work('a', ['x']), work('b', ['x', 'y']), work('c', ['y']), work('d', ['z'])])
    expect(order).toEqual(['a', 'd', 'b', 'c'])
  })

  it('can be given up while waiting, and let the others through', async () => {
    const locks = new Locks()
    const first = await locks.acquire(of(['x'], never))
    const giveUp = new AbortController()
    const second = locks.acquire(of(['x', 'y'], giveUp.signal))
    const third = locks.acquire(of(['y'], never))
    giveUp.abort()
    expect(await second).toBeNull()
    expect(await third).not.toBeNull()
    first?.()
    first?.()
  })

  it('tell those who wait whom they wait for, and when that is somebody else', async () => {
    const locks = new Locks()
    const told: string[] = []
    const ask = (owner: string, keys: readonly string[]) =>
      locks.acquire({
        ...of(keys, never),
        owner,
        onWait: (ahead, key) => told.push(`${owner} waits for ${ahead} (${key})`)
      })
    const [a, b, c] = [ask('a', ['x']), ask('b', ['x', 'y']), ask('c', ['y'])]
    expect(told).toEqual(['b waits for a (x)', 'c waits for b (y)'])
    ;(await a)?.()
    ;(await b)?.()
    expect(await c).not.toBeNull()
    expect(told).toHaveLength(2)
  })

  it('never give a key twice and never leave anybody waiting for ever', async () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(fc.array(keys, { maxLength: 12 }), async (wanted) => {
        const locks = new Locks()
        const held = new Set<string>()
        await Promise.all(
          wanted.map(async (set) => {
            const release = await locks.acquire(of(set, never))
            for (const key of set) {
              expect(held.has(key)).toBe(false)
              held.add(key)
            }
            await new Promise((resolve) => setImmediate(resolve))
            for (const key of set) held.delete(key)
            release?.()
          })
        )
      }),
      { numRuns: 50 }
    )
  })
})
