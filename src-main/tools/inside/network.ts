import { z } from 'zod'
import { fail, ok, type Result } from '../../base/result'
import type { Inside } from '../../fleet/inside/run-inside'
import { asTarget, bareName } from '../fleet/known'
import { withoutCarriedData } from '../carried-data'
import { defineTool } from '../define'
import { refused, told } from '../outcome'
import type { Tool } from '../tool'

const fromInput = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Host to look from, host:NAME; the first one that can be reached when left out.')

/** Exit codes of curl(1) that say why there was no answer. */
const curlReasons: Readonly<Record<number, string>> = {
  5: 'the proxy name does not resolve',
  6: 'the name does not resolve',
  7: 'the connection was refused or there is no route',
  28: 'there was no answer in time',
  35: 'the TLS handshake failed',
  47: 'there were too many redirects',
  52: 'the server answered with nothing',
  56: 'the connection broke off',
  60: 'the TLS certificate is not trusted'
}

/** Tools that look at the network from a host. */
export const networkTools = (inside: Inside): Tool[] => [
  defineTool({
    name: 'check_http',
    title: 'Check a web address',
    group: 'inside',
    description:
      'Whether an http or https address answers, seen from a host: status, time, address it was reached at, where it ' +
      'redirects to. Reads no content. Use it to verify that a service is served; pages are read with web_fetch.',
    input: z.strictObject({ url: z.string().min(1).max(2048), from: fromInput }),
    output: z.object({
      url: z.string(),
      from: z.string(),
      answered: z.boolean(),
      status: z.number().nullable(),
      seconds: z.number().nullable(),
      address: z.string().nullable(),
      redirect: z.string().nullable(),
      problem: z.string().nullable()
    }),
    readOnly: true,
    openWorld: true,
    timeoutMs: 45_000,
    sentence: ({ url }) => ({ sentence: `Checking ${url}`, object: hostOf(url) }),
    async run({ url, from }, { signal, tainted }) {
      const address = httpUrl(url)
      if (!address.ok) return refused(address.error)
      const plain = tainted ? withoutCarriedData(address.value) : null
      if (plain && !plain.ok) return refused(plain.error)
      const host = await lookFrom(inside, from)
      if (!host.ok) return refused(host.error)
      const format = '%{http_code}\\t%{time_total}\\t%{remote_ip}\\t%{redirect_url}\\n'
      const argv = [
        'curl',
        '-sS',
        '-g',
        '-o',
        '/dev/null',
        '-w',
        format,
        '--max-time',
        '15',
        '--proto',
        '=http,https'
      ]
      const ran = await inside.ssh.exec(host.value, [...argv, '--url', address.value], {
        timeoutMs: 30_000,
        signal
      })
      if (!ran.ok) return refused(ran.error)
      const { code, stdout, stderr } = ran.value
      if (code === 127) return refused({ code: 'command_missing', message: `${host.value} has no curl.` })
      const [status = '', seconds = '', ip = '', redirect = ''] = stdout.trim().split('\t')
      const answered = code === 0 && /^[1-9]\d\d$/.test(status)
      const problem = answered
        ? null
        : [curlReasons[code ?? -1], stderr.trim().split('\n').at(-1)]
            .filter(Boolean)
            .join(': ')
            .slice(0, 400) || `curl ended with ${String(code)}`
      const result = {
        url: address.value,
        from: `host:${host.value}`,
        answered,
        status: answered ? Number(status) : null,
        seconds: Number.isFinite(Number.parseFloat(seconds)) ? Number.parseFloat(seconds) : null,
        address: ip || null,
        redirect: redirect || null,
        problem
      }
      const text = answered
        ? `${address.value} answers ${status} from ${ip || 'an unknown address'} in ${milliseconds(result.seconds)}${redirect ? `, redirects to ${redirect}` : ''} (seen from ${host.value}).`
        : `${address.value} does not answer (seen from ${host.value}): ${problem ?? ''}`
      return told(text, result)
    }
  }),

  defineTool({
    name: 'check_port',
    title: 'Check a port',
    group: 'inside',
    description:
      'Whether a TCP port of an address accepts connections, seen from a host. For web services use check_http, which ' +
      'also tells the status.',
    input: z.strictObject({
      address: z
        .string()
        .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,252}[A-Za-z0-9])?$/, 'a name or an IP address')
        .describe('Name or IP address.'),
      port: z.number().int().min(1).max(65535),
      from: fromInput
    }),
    output: z.object({
      address: z.string(),
      port: z.number(),
      from: z.string(),
      open: z.boolean(),
      problem: z.string().nullable()
    }),
    readOnly: true,
    openWorld: true,
    timeoutMs: 45_000,
    sentence: ({ address, port }) => ({
      sentence: `Checking port ${port} of ${address}`,
      object: `${address}:${port}`
    }),
    async run({ address, port, from }, { signal, tainted }) {
      // A name that is asked for reaches whoever answers for it.
      const url = `http://${address}/`
      const plain = tainted && URL.canParse(url) ? withoutCarriedData(url) : null
      if (plain && !plain.ok) return refused(plain.error)
      const host = await lookFrom(inside, from)
      if (!host.ok) return refused(host.error)
      // Bash connects by itself (bash(1), REDIRECTION); address and port are its arguments, never part of its text.
      const script = 'exec 3<>"/dev/tcp/$1/$2"'
      const argv = ['timeout', '8', 'bash', '-c', script, 'check_port', address, String(port)]
      const ran = await inside.ssh.exec(host.value, argv, { timeoutMs: 20_000, signal })
      if (!ran.ok) return refused(ran.error)
      const { code, stderr } = ran.value
      if (code === 127)
        return refused({ code: 'command_missing', message: `${host.value} has no bash or no timeout.` })
      const open = code === 0
      const problem = open ? null : code === 124 ? 'no answer in time' : reasonOf(stderr)
      return told(
        `Port ${port} of ${address} is ${open ? 'open' : `not reachable: ${problem ?? ''}`} (seen from ${host.value}).`,
        { address, port, from: `host:${host.value}`, open, problem }
      )
    }
  })
]

/** An http or https address without credentials, as curl gets it. Error: `url_refused`. */
function httpUrl(text: string): Result<string> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return fail(
      'url_refused',
      `"${text.slice(0, 200)}" is not an http or https address.`,
      'Write it with its scheme.'
    )
  if (url.username !== '' || url.password !== '')
    return fail(
      'url_refused',
      'An address with a user name or password in it is not checked.',
      'Leave them out.'
    )
  return ok(url.href)
}

/** The host that is named, or the first one that answers. */
async function lookFrom({ fleet }: Inside, from: string | undefined): Promise<Result<string>> {
  if (from !== undefined) {
    const found = await fleet.resolve(asTarget('host', from))
    if (!found.ok) return found
    return found.value.kind === 'host'
      ? ok(found.value.host)
      : fail('target_invalid', 'Only a host can be looked from.', 'Give from as host:NAME.')
  }
  await fleet.fresh()
  const [first] = fleet.hosts().filter((host) => host.error === null)
  return first
    ? ok(first.name)
    : fail('host_unreachable', 'No host can be reached to look from.', 'See list_hosts.')
}

const reasonOf = (stderr: string): string =>
  /(Connection refused|No route to host|Name or service not known|Network is unreachable|Temporary failure[^\n]*)/.exec(
    stderr
  )?.[1] ?? 'it cannot be connected to'

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : bareName(url).slice(0, 60))

const milliseconds = (seconds: number | null): string =>
  seconds === null ? 'an unknown time' : `${Math.round(seconds * 1000)} ms`
