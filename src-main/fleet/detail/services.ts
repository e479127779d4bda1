import type { ServiceView } from '../../../src-preload/contract'
import { fail, ok, type AppError, type Result } from '../../base/result'
import type { ResolvedTarget } from '../port'
import { nameOf, runInside, type Inside, type InsideOptions } from '../inside/run-inside'
import { parseUnits } from '../inside/units'

const listing = [
  'systemctl',
  'list-units',
  '--type=service',
  '--all',
  '--no-pager',
  '--no-legend',
  '--plain'
] as const

/** All loaded systemd services of a host or a running guest, the failed ones first. Errors: as `readInside`. */
export async function listServices(
  inside: Inside,
  target: ResolvedTarget,
  options: InsideOptions = {}
): Promise<Result<ServiceView[]>> {
  const read = await readInside(inside, target, listing, options)
  return read.ok ? ok(parseUnits(read.value)) : read
}

/**
 * What a command of systemd prints. Errors: as `runInside`, with a word on machines without systemd, and `read_failed`.
 */
export async function readInside(
  inside: Inside,
  target: ResolvedTarget,
  argv: readonly string[],
  options: InsideOptions
): Promise<Result<string>> {
  const ran = await runInside(inside, target, argv, options)
  if (!ran.ok) return { ok: false, error: withoutSystemd(ran.error) }
  if (ran.value.code === 0) return ok(ran.value.stdout)
  const last = ran.value.stderr.trim().split('\n').at(-1)?.slice(0, 300)
  return fail(
    'read_failed',
    `Reading inside of ${nameOf(target)} failed: ${last || 'without a message'}`,
    undefined,
    { why: last }
  )
}

/** `caddy` → `caddy.service`; what has a suffix of systemd keeps it. */
export const unit = (name: string): string =>
  /\.(service|socket|timer|mount|target|path|slice|scope|device|swap|automount)$/.test(name)
    ? name
    : `${name}.service`

/** The error of a missing systemctl or journalctl, in words that help. */
const withoutSystemd = (error: AppError): AppError =>
  error.code === 'command_missing'
    ? {
        ...error,
        message: `${error.message} It does not use systemd.`,
        hint: 'Request the action pct_exec or run with the commands of its own service manager, such as rc-status.'
      }
    : error
