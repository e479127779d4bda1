import { z } from 'zod'
import { nameOf, type Inside } from '../../fleet/inside/run-inside'
import { listServices, readInside, unit } from '../../fleet/detail/services'
import { defineTool } from '../define'
import { bytes, count, table } from '../format'
import { refused, told } from '../outcome'
import { targetInput } from '../schemas'
import { fitting } from '../text'
import type { Tool } from '../tool'
import { bareName } from '../fleet/known'

/** Where services are looked at. */
export const insideTarget = targetInput('host:NAME, lxc:NAME, lxc:VMID or vm:NAME.')

/** A systemd unit as it may stand on a command line; the suffix may be left out. */
export const serviceName = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9:_.\\@-]{0,254}$/, 'a systemd unit such as caddy or caddy.service')

const properties = [
  'Id',
  'Description',
  'LoadState',
  'ActiveState',
  'SubState',
  'UnitFileState',
  'MainPID',
  'NRestarts',
  'Result',
  'ExecMainStatus',
  'MemoryCurrent',
  'ActiveEnterTimestamp'
] as const

/** Tools for systemd services on hosts and inside of guests. */
export const serviceTools = (inside: Inside): Tool[] => [
  defineTool({
    name: 'list_services',
    title: 'List services',
    group: 'inside',
    description:
      'All loaded systemd services of one host or running guest with their states, failed ones first. ' +
      'For one service in detail use get_service_state; to change one request the action systemctl.',
    input: z.strictObject({ target: insideTarget }),
    output: z.object({
      target: z.string(),
      services: z.array(
        z.object({
          name: z.string(),
          load: z.string(),
          active: z.string(),
          sub: z.string(),
          description: z.string()
        })
      )
    }),
    readOnly: true,
    timeoutMs: 60_000,
    sentence: ({ target }) => ({
      sentence: `Listing services of ${bareName(target)}`,
      object: bareName(target)
    }),
    async run({ target }, { signal }) {
      const found = await inside.fleet.resolve(target)
      if (!found.ok) return refused(found.error)
      const listed = await listServices(inside, found.value, { signal })
      if (!listed.ok) return refused(listed.error)
      const services = listed.value
      const failed = services.filter((service) => service.active === 'failed').length
      const head = `${count(services.length, 'service')} of ${nameOf(found.value)}, ${failed} failed`
      const rows = (all: boolean) =>
        services
          .filter((each) => all || each.active !== 'inactive')
          .map((each) => [each.name, `${each.active} (${each.sub})`, each.description])
      const columns = ['SERVICE', 'STATE', 'DESCRIPTION']
      const list = fitting(
        () => table(columns, rows(true)),
        () => `${table(columns, rows(false))}\nInactive ones are left out.`,
        () => services.map((each) => `${each.name} ${each.active}`).join(', ')
      )
      return told(`${head}\n${list}`, { target, services })
    }
  }),

  defineTool({
    name: 'get_service_state',
    title: 'State of a service',
    group: 'inside',
    description:
      'State of one systemd service on a host or inside of a running guest: active or failed, since when, enabled at boot, ' +
      'main process, restarts, memory. Use it to verify that a service runs; its messages are in read_logs.',
    input: z.strictObject({
      target: insideTarget,
      service: serviceName.describe('Unit name, such as caddy.')
    }),
    output: z.object({
      target: z.string(),
      service: z.string(),
      active: z.string(),
      sub: z.string(),
      enabled: z.string(),
      running: z.boolean(),
      since: z.string(),
      main_pid: z.number(),
      restarts: z.number(),
      result: z.string(),
      memory: z.number().nullable(),
      description: z.string()
    }),
    readOnly: true,
    timeoutMs: 60_000,
    sentence: ({ target, service }) => ({
      sentence: `Checking ${service} on ${bareName(target)}`,
      object: `${service} on ${bareName(target)}`
    }),
    async run({ target, service }, { signal }) {
      const found = await inside.fleet.resolve(target)
      if (!found.ok) return refused(found.error)
      const argv = ['systemctl', 'show', unit(service), '--no-pager', `--property=${properties.join(',')}`]
      const read = await readInside(inside, found.value, argv, { signal })
      if (!read.ok) return refused(read.error)
      const facts = parseShow(read.value)
      const name = nameOf(found.value)
      if (facts.LoadState === undefined || facts.LoadState === 'not-found')
        return refused({
          code: 'service_not_found',
          message: `${name} has no service ${service}.`,
          hint: 'list_services names the ones it has.'
        })
      const state = {
        target,
        service: facts.Id ?? unit(service),
        active: facts.ActiveState ?? 'unknown',
        sub: facts.SubState ?? 'unknown',
        enabled: facts.UnitFileState || 'unknown',
        running: facts.ActiveState === 'active',
        since: facts.ActiveEnterTimestamp ?? '',
        main_pid: whole(facts.MainPID) ?? 0,
        restarts: whole(facts.NRestarts) ?? 0,
        result: facts.Result ?? 'unknown',
        memory: whole(facts.MemoryCurrent),
        description: facts.Description ?? ''
      }
      const lines = [
        `${state.service} on ${name}: ${state.active} (${state.sub})${state.running && state.since ? ` since ${state.since}` : ''}`,
        state.description,
        `At boot: ${state.enabled}; main process: ${state.main_pid || 'none'}; restarts: ${state.restarts}`,
        !state.running &&
          `Result: ${state.result}${facts.ExecMainStatus ? `, exit status ${facts.ExecMainStatus}` : ''}`,
        state.memory !== null && `Memory: ${bytes(state.memory)}`
      ]
      return told(lines.filter((line) => typeof line === 'string' && line !== '').join('\n'), state)
    }
  })
]

/** `KEY=VALUE` lines of `systemctl show`. */
export const parseShow = (text: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()])
  )

/** A number of systemd; `[not set]` and its largest number mean none. */
const whole = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
