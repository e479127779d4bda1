import type { Machine, Service } from './types'

/** A service with believable defaults. */
export const service = (unit: string, description: string, more: Partial<Service> = {}): Service => ({
  unit,
  description,
  active: 'active',
  sub: 'running',
  enabled: true,
  since: 0,
  pid: 200 + ((unit.length * 37) % 700),
  exitStatus: 0,
  result: 'success',
  restarts: 0,
  ports: [],
  program: `/usr/sbin/${unit.replace(/\.service$/, '')}`,
  fault: null,
  memory: 24 * 1024 * 1024,
  ...more
})

/** What becomes of the services when their machine starts: the enabled ones start, or fail. */
export function bootServices(machine: Machine, at: number): void {
  for (const unit of Object.values(machine.services)) {
    if (!unit.enabled) continue
    if (unit.fault === null) Object.assign(unit, started(unit, at))
    else Object.assign(unit, failed(unit, at))
  }
  if ('caddy.service' in machine.services) machine.sites = sitesIn(machine)
}

/** Nothing runs in a machine that is off. */
export function haltServices(machine: Machine): void {
  for (const unit of Object.values(machine.services)) {
    Object.assign(unit, { active: 'inactive', sub: 'dead', pid: null })
  }
}

/** The fields of a service that has just been started. */
export const started = (unit: Service, at: number): Partial<Service> => ({
  active: 'active',
  sub: 'running',
  since: at,
  pid: unit.pid ?? 300 + ((unit.unit.length * 53) % 600),
  exitStatus: 0,
  result: 'success'
})

/** The fields of a service whose start has just failed. */
export const failed = (unit: Service, at: number): Partial<Service> => ({
  active: 'failed',
  sub: 'failed',
  since: at,
  pid: null,
  exitStatus: unit.exitStatus || 1,
  result: 'exit-code'
})

/** The sites in the reverse proxy's files: `host { reverse_proxy upstream }`. */
export function sitesIn(machine: Machine): Record<string, string> {
  const sites: Record<string, string> = {}
  const texts = Object.entries(machine.files)
    .filter(([path]) => path === '/etc/caddy/Caddyfile' || /^\/etc\/caddy\/conf\.d\/[^/]+$/.test(path))
    .map(([, file]) => file.content)
  for (const text of texts) {
    for (const [, names = '', body = ''] of text.matchAll(/^([^\s{#][^{\n]*)\{([^}]*)\}/gm)) {
      const upstream = /reverse_proxy\s+(\S+)/.exec(body)?.[1]
      if (!upstream) continue
      for (const name of names.split(/[\s,]+/).filter(Boolean))
        sites[name.replace(/^https?:\/\//, '')] = upstream
    }
  }
  return sites
}
