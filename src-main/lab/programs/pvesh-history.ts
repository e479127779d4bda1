import { nodeUsage, usageOf } from '../world/look'
import type { Guest, Node, World } from '../world/types'

/** Seconds between two entries, as PVE/API2/Nodes.pm has them; each answer has 70. */
const steps: Readonly<Record<string, number>> = { hour: 60, day: 1800, week: 10_800, month: 43_200 }
const entries = 70

type Moment = Readonly<Record<string, number>>

/** `rrddata --timeframe hour`: an entry for each step; what was off has the time alone. */
export function history(
  set: Readonly<Record<string, string>>,
  now: number,
  at: (time: number) => Moment | null
): { data: unknown } | { error: string } {
  const step = steps[set['timeframe'] ?? '']
  if (step === undefined)
    return {
      error:
        '400 Parameter verification failed.\ntimeframe: ' +
        (set['timeframe'] === undefined
          ? 'property is missing and it is not optional'
          : `value '${set['timeframe']}' does not have a value in the enumeration 'hour, day, week, month, year'`)
    }
  const last = Math.floor(now / 1000 / step) * step
  return {
    data: Array.from({ length: entries }, (_, index) => {
      const time = last - (entries - 1 - index) * step
      return { time, ...at(time * 1000) }
    })
  }
}

/** What a guest used at a moment; null while it was off. */
export function guestMoment(guest: Guest, at: number): Moment | null {
  if (guest.status !== 'running' || guest.startedAt === null || at < guest.startedAt) return null
  const usage = usageOf(guest, at)
  return {
    cpu: usage.cpu,
    maxcpu: usage.cores,
    mem: usage.memory,
    maxmem: usage.maxMemory,
    disk: usage.disk,
    maxdisk: usage.maxDisk,
    netin: 2700 * (1 + usage.cpu * 9),
    netout: 900 * (1 + usage.cpu * 9)
  }
}

export function nodeMoment(world: World, node: Node, at: number): Moment | null {
  if (at < node.bootedAt) return null
  const { cpu, memory } = nodeUsage(world, node, at)
  return {
    cpu,
    maxcpu: node.cpus,
    memused: memory,
    memtotal: node.memory,
    loadavg: cpu * node.cpus,
    iowait: 0.002,
    netin: 21_000 * (1 + cpu),
    netout: 14_000 * (1 + cpu)
  }
}
