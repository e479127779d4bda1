import { listenerOn, machineAt } from '../world/look'
import type { Machine } from '../world/types'
import { absolute } from '../shell/files'
import { type Call, die, type Programs } from '../shell/program'
import { options } from './options'

/** `curl`, `wget`, `nc`, `ss`, `ip`, `ping`, `getent`: the lab's network, answered from the state of the services. */
export const networkPrograms: Programs = {
  curl: { run: curl, package: 'curl' },
  wget: { run: wget, package: 'wget' },
  nc: { run: nc, package: 'netcat-openbsd' },
  ss: { run: ss },
  ip: { run: ip },
  ping: { run: ping },
  getent: { run: getent }
}

const domain = /\.hubris\.network$/

interface Reply {
  readonly status: number
  readonly body: string
  readonly type: string
  /** Redirect target. */
  readonly location?: string
}

type Fetched =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly exit: number; readonly message: string }

const refused = (host: string, port: number): Fetched => ({
  ok: false,
  exit: 7,
  message: `Failed to connect to ${host} port ${port} after 2 ms: Couldn't connect to server`
})

/** What a request from a machine of the lab gets. */
function fetched(call: Call, url: URL): Fetched {
  const host = url.hostname
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (domain.test(host)) return throughProxy(call, host, port)
  if (host === 'localhost' || host === '127.0.0.1') return fromMachine(call.machine, host, port)
  const machine = machineAt(call.world, host)
  if (machine) return fromMachine(machine, host, port)
  if (Object.values(call.world.guests).some((g) => g.config['hostname'] === host || g.address === host)) {
    return {
      ok: false,
      exit: 7,
      message: `Failed to connect to ${host} port ${port} after 3062 ms: No route to host`
    }
  }
  return publicInternet(url)
}

function fromMachine(machine: Machine, host: string, port: number): Fetched {
  const unit = listenerOn(machine, port)
  if (!unit) return refused(host, port)
  const name = unit.description
  return {
    ok: true,
    reply: {
      status: 200,
      type: 'text/html; charset=utf-8',
      body: `<!doctype html>\n<title>${name}</title>\n<h1>${name}</h1>\n`
    }
  }
}

/**
 * The reverse proxy in the container `caddy`: 200 only when it runs, has loaded a site of that name, and the
 * service behind it listens; 502 when it does not; a TLS alert when no site has that name.
 */
function throughProxy(call: Call, host: string, port: number): Fetched {
  const caddy = machineAt(call.world, 'caddy')
  if (!caddy || !listenerOn(caddy, port)) return refused(host, port)
  if (port === 80)
    return { ok: true, reply: { status: 308, type: 'text/plain', body: '', location: `https://${host}/` } }
  const upstream = caddy.sites[host]
  if (upstream === undefined) {
    return {
      ok: false,
      exit: 35,
      message: 'OpenSSL/3.0.17: error:0A000438:SSL routines::tlsv1 alert internal error'
    }
  }
  const [name = '', upstreamPort = '80'] = upstream.replace(/^https?:\/\//, '').split(':')
  const target = machineAt(call.world, name)
  if (!target || !listenerOn(target, Number(upstreamPort)))
    return { ok: true, reply: { status: 502, type: 'text/plain', body: '' } }
  return fromMachine(target, name, Number(upstreamPort))
}

const archive = [
  'typetype/',
  'typetype/package.json',
  'typetype/server.js',
  'typetype/public/index.html',
  'typetype/typetype.service'
]

/** Public addresses that installers use; others answer like any web page. */
function publicInternet(url: URL): Fetched {
  if (!url.hostname.includes('.') || /\.(invalid|local|lan|test)$/.test(url.hostname)) {
    return { ok: false, exit: 6, message: `Could not resolve host: ${url.hostname}` }
  }
  const packed = /\.(tar\.(gz|xz|zst)|tgz)$/.test(url.pathname)
  if (packed && url.hostname === 'github.com') {
    return {
      ok: true,
      reply: { status: 200, type: 'application/octet-stream', body: `lab-archive\n${archive.join('\n')}\n` }
    }
  }
  if (/\.sh$/.test(url.pathname) || /^deb\./.test(url.hostname)) {
    return {
      ok: true,
      reply: {
        status: 200,
        type: 'text/x-shellscript',
        body: "echo 'the lab runs no installers from the internet'\n"
      }
    }
  }
  return {
    ok: true,
    reply: { status: 200, type: 'text/html', body: `<!doctype html>\n<title>${url.hostname}</title>\n` }
  }
}

const curlValued = [
  'o',
  'output',
  'w',
  'write-out',
  'm',
  'max-time',
  'connect-timeout',
  'H',
  'header',
  'X',
  'request',
  'd',
  'data',
  'A',
  'user-agent',
  'u',
  'resolve',
  'retry',
  'retry-delay',
  'max-redirs',
  'e',
  'b',
  'cacert',
  'proto',
  'max-filesize',
  'url',
  'T',
  'upload-file',
  'interface'
]

function curl(call: Call): number {
  const opts = options(call.args, curlValued)
  const named = opts.value('url')
  const given = named === undefined ? opts.rest : [...opts.rest, named]
  const urls = given.map((text) => parsedUrl(text))
  if (urls.length === 0) return die(call, 'curl: (2) no URL specified', 2)
  let status = 0
  for (const [index, url] of urls.entries()) {
    if (!url) return die(call, `curl: (3) URL rejected: Malformed input to a URL function`, 3)
    call.wait(250)
    let answer = fetched(call, url)
    let effective = url
    let redirects = 0
    while (answer.ok && answer.reply.location !== undefined && opts.has('L', 'location') && redirects < 10) {
      effective = new URL(answer.reply.location, effective)
      answer = fetched(call, effective)
      redirects++
    }
    status = curlResult(call, opts, answer, effective, redirects, given[index] ?? '')
  }
  return status
}

function parsedUrl(text: string): URL | null {
  try {
    return new URL(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  } catch {
    return null
  }
}

function curlResult(
  call: Call,
  opts: ReturnType<typeof options>,
  answer: Fetched,
  url: URL,
  redirects: number,
  given: string
): number {
  const reply = answer.ok ? answer.reply : null
  const failing = reply !== null && reply.status >= 400 && opts.has('f', 'fail', 'fail-with-body')
  const exit = answer.ok ? (failing ? 22 : 0) : answer.exit
  const message = answer.ok ? `The requested URL returned error: ${reply?.status ?? 0}` : answer.message
  if (reply && (!failing || opts.has('fail-with-body'))) curlBody(call, opts, reply, given)
  if (exit !== 0 && (!opts.has('s', 'silent') || opts.has('S', 'show-error')))
    call.err(`curl: (${exit}) ${message}\n`)
  const format = opts.value('w', 'write-out')
  if (format !== undefined) {
    const fields: Readonly<Record<string, string>> = {
      http_code: String(reply?.status ?? 0).padStart(3, '0'),
      response_code: String(reply?.status ?? 0).padStart(3, '0'),
      time_total: (0.018 + url.hostname.length / 1000).toFixed(6),
      time_connect: '0.002114',
      size_download: String(reply?.body.length ?? 0),
      url_effective: url.href,
      url: given,
      redirect_url: reply?.location ?? '',
      num_redirects: String(redirects),
      remote_ip: reply ? '192.168.1.101' : '',
      content_type: reply?.type ?? '',
      errormsg: exit === 0 ? '' : message,
      exitcode: String(exit),
      ssl_verify_result: '0'
    }
    call.out(
      format
        .replace(/%\{([a-z_]+)\}/g, (_, name: string) => fields[name] ?? '')
        .replace(/\\n/g, '\n')
        .replace(/\\t/g, '\t')
    )
  }
  return exit
}

function curlBody(call: Call, opts: ReturnType<typeof options>, reply: Reply, given: string): void {
  const head = `HTTP/2 ${reply.status} \r\ncontent-type: ${reply.type}\r\nserver: Caddy\r\n${reply.location ? `location: ${reply.location}\r\n` : ''}\r\n`
  const text =
    (opts.has('I', 'head') || opts.has('i', 'include') ? head : '') +
    (opts.has('I', 'head') ? '' : reply.body)
  const target =
    opts.value('o', 'output') ??
    (opts.has('O', 'remote-name') ? given.slice(given.lastIndexOf('/') + 1) : undefined)
  if (target === undefined) return call.out(text)
  if (target === '/dev/null') return
  if (target === '-') return call.out(text)
  save(call, target, text)
}

function save(call: Call, target: string, text: string): void {
  if (text.startsWith('lab-archive')) call.wait(1200)
  call.change({
    do: 'file.put',
    machine: call.machine.id,
    path: absolute(call.cwd, target),
    file: { content: text, mode: 0o644, dir: false, at: call.now() }
  })
}

function wget(call: Call): number {
  const opts = options(call.args, ['O', 'output-document', 'T', 'timeout', 't', 'tries', 'P'])
  const url = parsedUrl(opts.rest[0] ?? '')
  if (!url) return die(call, 'wget: missing URL', 1)
  call.wait(250)
  const answer = fetched(call, url)
  if (!answer.ok) return die(call, `wget: ${answer.message}`, 4)
  if (answer.reply.status >= 400) return die(call, `ERROR ${answer.reply.status}`, 8)
  if (opts.has('spider')) return 0
  const target =
    opts.value('O', 'output-document') ??
    (url.pathname.slice(url.pathname.lastIndexOf('/') + 1) || 'index.html')
  if (target === '-') call.out(answer.reply.body)
  else save(call, target, answer.reply.body)
  return 0
}

function nc(call: Call): number {
  const opts = options(call.args, ['w', 'i', 'p', 's'])
  const [host = '', portText = ''] = opts.rest
  const port = Number(portText)
  call.wait(150)
  const machine = host === 'localhost' || host === '127.0.0.1' ? call.machine : machineAt(call.world, host)
  const open = machine !== null && listenerOn(machine, port) !== null
  if (opts.has('v'))
    call.err(
      open
        ? `Connection to ${host} ${port} port [tcp/*] succeeded!\n`
        : `nc: connect to ${host} port ${port} (tcp) failed: Connection refused\n`
    )
  return open ? 0 : 1
}

function ss(call: Call): number {
  const numeric = call.args.join('')
  call.wait(150)
  if (!numeric.includes('H')) call.out('State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n')
  for (const unit of Object.values(call.machine.services).filter((s) => s.active === 'active')) {
    for (const port of unit.ports) {
      const process = numeric.includes('p')
        ? ` users:(("${unit.unit.replace('.service', '')}",pid=${unit.pid ?? 0},fd=6))`
        : ''
      call.out(`LISTEN 0      4096         0.0.0.0:${String(port).padEnd(5)}      0.0.0.0:*${process}\n`)
    }
  }
  return 0
}

function ip(call: Call): number {
  const guest = call.world.guests[call.machine.id.slice('lxc:'.length)]
  const name = guest ? 'eth0' : 'vmbr0'
  const address = guest?.address ?? call.world.nodes[call.machine.hostname]?.address ?? '127.0.0.1'
  const route = call.args.some((arg) => /^r(o|oute)?$/.test(arg))
  if (call.args.some((arg) => /^-j/.test(arg))) {
    const links = [
      { ifname: 'lo', addr_info: [{ family: 'inet', local: '127.0.0.1', prefixlen: 8 }] },
      { ifname: name, operstate: 'UP', addr_info: [{ family: 'inet', local: address, prefixlen: 24 }] }
    ]
    call.out(`${JSON.stringify(route ? [{ dst: 'default', gateway: '192.168.1.1', dev: name }] : links)}\n`)
  } else if (route)
    call.out(
      `default via 192.168.1.1 dev ${name} proto kernel onlink\n192.168.1.0/24 dev ${name} proto kernel scope link src ${address}\n`
    )
  else
    call.out(
      `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536\n    inet 127.0.0.1/8 scope host lo\n2: ${name}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500\n    inet ${address}/24 brd 192.168.1.255 scope global ${name}\n`
    )
  return 0
}

function ping(call: Call): number {
  const host = options(call.args, ['c', 'W', 'w', 'i']).rest[0] ?? ''
  call.wait(400)
  const up =
    domain.test(host) ||
    machineAt(call.world, host) !== null ||
    /^(1\.1\.1\.1|8\.8\.8\.8|192\.168\.1\.1)$/.test(host) ||
    host.includes('.org')
  if (!up) return die(call, `ping: ${host}: Name or service not known`, 2)
  call.out(
    `PING ${host} 56(84) bytes of data.\n64 bytes from ${host}: icmp_seq=1 ttl=64 time=0.21 ms\n\n1 packets transmitted, 1 received, 0% packet loss, time 0ms\n`
  )
  return 0
}

function getent(call: Call): number {
  const name = call.args[1] ?? ''
  const guest = Object.values(call.world.guests).find((g) => g.config['hostname'] === name)
  const address = domain.test(name) ? '192.168.1.101' : (guest?.address ?? call.world.nodes[name]?.address)
  if (address === undefined) return 2
  call.out(`${address.padEnd(16)}${name}\n`)
  return 0
}
