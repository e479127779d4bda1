import type { FleetSamples, FleetView, UsageSeries } from '../../src-preload/contract'

/** Kept of each host and guest: an hour at the usual interval. */
const most = 60
/** A question that follows another within this time (ms), as after an execution, does not make a sample of its own. */
const apart = 20_000

/** The last samples of CPU and memory of every host and guest, from the fleet's own questions; in memory. */
export class Samples {
  private readonly series = new Map<string, { cpu: number[]; memory: number[] }>()
  private takenAt = 0

  /** Adds what was read at `at`; what is no longer there is forgotten. */
  take({ hosts, guests }: FleetView, at: number): void {
    const replaces = at >= this.takenAt && at - this.takenAt < apart
    if (!replaces) this.takenAt = at
    const seen = new Set<string>()
    const add = (key: string, cpu: number, memory: number) => {
      seen.add(key)
      const series = this.series.get(key) ?? { cpu: [], memory: [] }
      for (const [values, value] of [
        [series.cpu, cpu],
        [series.memory, memory]
      ] as const) {
        if (replaces) values.pop()
        values.push(Math.round(value * 1000) / 1000)
        if (values.length > most) values.shift()
      }
      this.series.set(key, series)
    }
    for (const host of hosts)
      if (host.error === null && host.cpu !== null && host.memory !== null)
        add(`host:${host.name}`, host.cpu, host.memory / Math.max(1, host.maxMemory ?? 0))
      else seen.add(`host:${host.name}`)
    for (const guest of guests)
      add(
        `${guest.cluster}/${guest.kind}/${guest.vmid}`,
        guest.cpu,
        guest.memory / Math.max(1, guest.maxMemory)
      )
    for (const key of [...this.series.keys()]) if (!seen.has(key)) this.series.delete(key)
  }

  all(): FleetSamples {
    return Object.fromEntries(
      [...this.series].map(([key, { cpu, memory }]): [string, UsageSeries] => [
        key,
        { cpu: [...cpu], memory: [...memory] }
      ])
    )
  }
}
