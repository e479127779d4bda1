import { fail, ok, type Result } from '../base/result'
import type { Ssh } from '../ssh/port'

/** Milliseconds for one question; covers connecting. `pvesh` starts a Perl with all of Proxmox: 1 to 4 s. */
const timeoutMs = 20_000

/**
 * `pvesh get PATH --output-format json` on a host, parsed.
 * Errors: as Ssh, `not_proxmox` (no pvesh there), `pvesh_failed`.
 */
export async function pveshGet(
  ssh: Ssh,
  host: string,
  path: string,
  args: readonly string[] = []
): Promise<Result<unknown>> {
  const argv = ['pvesh', 'get', path, ...args, '--output-format', 'json']
  const ran = await ssh.exec(host, argv, { timeoutMs, maxBytes: 16 * 1024 * 1024 })
  if (!ran.ok) return ran
  const { code, stdout, stderr, truncated } = ran.value
  if (code === 127)
    return fail(
      'not_proxmox',
      `${host} answers over SSH but has no pvesh: it is not a Proxmox VE node.`,
      'Check the address of the host; services of a plain Linux host can still be looked at.',
      { host }
    )
  if (code !== 0)
    return fail(
      'pvesh_failed',
      `pvesh get ${path} on ${host} failed: ${lastLine(stderr) || lastLine(stdout) || `exit code ${String(code)}`}`,
      undefined,
      { host, path, code }
    )
  const parsed = truncated ? undefined : parseJson(stdout)
  if (parsed === undefined)
    return fail(
      'pvesh_failed',
      `pvesh get ${path} on ${host} printed something that is not JSON.`,
      undefined,
      {
        host,
        path
      }
    )
  return ok(parsed)
}

/** The JSON in an output, also when a login script printed lines before it; undefined when there is none. */
function parseJson(text: string): unknown {
  const start = text.search(/^\s*[[{"\d]/m)
  for (const candidate of [text, start > 0 ? text.slice(start) : ''])
    try {
      if (candidate.trim() !== '') return JSON.parse(candidate)
    } catch {
      // Tried without the lines before it next.
    }
  return undefined
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim().slice(0, 300) ?? ''
