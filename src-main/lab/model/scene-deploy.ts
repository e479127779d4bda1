import { carryOut, proposedPlan } from './carry-out'
import { agrees, say, type Script } from './script'
import { firstLine, markdownTable, rowsIn } from './tables'
import { type Answer, type Call, type PlannedCall, refusal, type Scene } from './talk'

/** What the operator wants, with defaults for what was not said. */
interface Wish {
  readonly hostname: string
  readonly node: string
  readonly domain: string
  readonly storage: string
  readonly diskGiB: number
  readonly cores: number
  readonly memoryMiB: number
  readonly vmid: number | null
  readonly template: string | null
}

const page = 'https://github.com/Priveetee/TypeType'

/** Read from the request and, for changes, from what was typed later: the newest words count. */
function wishOf(scene: Scene): Wish {
  const typed = [...scene.later].reverse().concat(scene.request)
  const find = (pattern: RegExp): string | null => {
    for (const text of typed) {
      const found = pattern
        .exec(text)
        ?.slice(1)
        .find((group) => group !== undefined)
      if (found !== undefined) return found
    }
    return null
  }
  const memory = find(/(\d+)\s*(?:GiB|GB|G)\s+(?:of\s+)?(?:memory|ram)/i)
  return {
    hostname: find(/\bhostname\s+["'`]?([A-Za-z0-9_.-]*[A-Za-z0-9_])/i) ?? 'typetype',
    node: find(/\bon\s+(?:host\s+|node\s+)?(?!an?\b|the\b)([a-z][a-z0-9-]*)\b/i) ?? 'strong',
    domain: find(/\b((?:[a-z0-9-]+\.)+network)\b/i) ?? 'tube.hubris.network',
    storage: find(/\bstorage\s+([a-z][a-z0-9-]*)/i) ?? 'local-lvm',
    diskGiB: Number(find(/(\d+)\s*(?:GiB|GB|G)\s+(?:of\s+)?(?:disk|rootfs)|disk\s+(?:of\s+)?(\d+)/i) ?? 8),
    cores: Number(find(/(\d+)\s+cores?/i) ?? 2),
    memoryMiB: memory === null ? 2048 : Number(memory) * 1024,
    vmid: Number(find(/\bvmid\s+(\d+)/i)) || null,
    template: find(/\btemplate\s+([a-z0-9][\w.:/-]+)/i)
  }
}

const archive = 'https://github.com/Priveetee/TypeType/releases/latest/download/typetype.tar.gz'

const unit = `[Unit]
Description=TypeType video front end
After=network-online.target

[Service]
WorkingDirectory=/opt/typetype
Environment=PORT=3000
ExecStart=/usr/bin/node /opt/typetype/server.js
Restart=on-failure

[Install]
WantedBy=multi-user.target
`

/** Fetches the release and writes the unit, in one shell that stops at the first failure. */
const installScript = [
  'set -e',
  `curl -fsSL -o /tmp/typetype.tar.gz ${archive}`,
  'mkdir -p /opt/typetype',
  'tar -xzf /tmp/typetype.tar.gz -C /opt/typetype --strip-components=1',
  `cat > /etc/systemd/system/typetype.service <<'UNIT'\n${unit}UNIT`,
  'systemctl daemon-reload'
].join('\n')

function planOf(wish: Wish, template: string | null): PlannedCall {
  const { hostname, node, domain } = wish
  const guest = `lxc:${hostname}`
  const steps = [
    {
      action: 'pct_create',
      target: `${guest}@${node}`,
      params: {
        hostname,
        ...(template !== null && { template }),
        ...(wish.vmid !== null && { vmid: wish.vmid }),
        storage: wish.storage,
        diskGiB: wish.diskGiB,
        cores: wish.cores,
        memoryMiB: wish.memoryMiB,
        nesting: true,
        start: true
      },
      why: 'TypeType gets a container of its own; its README asks for Debian 12, 1 GB of memory and 8 GB of disk.'
    },
    {
      action: 'pct_exec',
      target: guest,
      params: { command: ['apt-get', 'install', '-y', 'nodejs', 'curl'] },
      why: 'It runs on Node.js 18; curl fetches the release.'
    },
    {
      action: 'pct_exec',
      target: guest,
      params: { command: ['sh', '-c', installScript] },
      why: 'Unpacks the latest release to /opt/typetype and writes its systemd unit, as the README says.'
    },
    {
      action: 'systemctl',
      target: guest,
      params: { verb: 'enable', unit: 'typetype.service', now: true },
      why: 'Starts it now and at every boot.'
    },
    {
      action: 'pct_push',
      target: 'lxc:caddy',
      params: {
        content: `${domain} {\n  reverse_proxy ${hostname}:3000\n}\n`,
        path: `/etc/caddy/conf.d/${domain}.caddy`,
        perms: '0644'
      },
      why: `Routes ${domain} to the new container.`
    },
    {
      action: 'systemctl',
      target: 'lxc:caddy',
      params: { verb: 'reload', unit: 'caddy.service' },
      why: 'Caddy reads its sites when it is reloaded; open connections stay.'
    }
  ]
  return {
    name: 'propose_plan',
    args: {
      title: `Deploy TypeType on ${node}`,
      summary: `A Debian container ${hostname} on ${node} with TypeType on port 3000, served as https://${domain} by the caddy container.`,
      steps
    }
  }
}

/** The Debian template that is on the node already; null leaves the choice to pct_create. */
function templateIn(scene: Scene, wish: Wish): string | null {
  if (wish.template !== null)
    return wish.template.includes(':') ? wish.template : `local:vztmpl/${wish.template}`
  const result = scene.calls('list_templates').at(-1)?.result ?? ''
  const onNode = rowsIn(result).filter((row) => row['node'] === wish.node || row['node']?.startsWith('all'))
  const names = onNode.map((row) => row['template'] ?? '').filter((name) => /debian-\d+-standard/.test(name))
  return names.sort().at(-1) ?? /[a-z0-9-]+:vztmpl\/debian-\d+-standard[^"\s,]*/.exec(result)?.[0] ?? null
}

const changesPlan = (text: string): boolean =>
  /\b(\d+\s+cores?|\d+\s*(GiB|GB|G)\s+(of\s+)?(memory|ram|disk)|hostname\s+\S+|vmid\s+\d+|storage\s+\S+|template\s+\S+)/i.test(
    text
  )

function play(scene: Scene): Answer {
  const wish = wishOf(scene)
  const plan = proposedPlan(scene)
  const opening = scene.opening.find((item) => item.kind === 'operator')
  const changed = opening?.kind === 'operator' && opening.text !== scene.request && changesPlan(opening.text)
  if (plan && !(changed && scene.callsNow('propose_plan').length === 0))
    return carryOut(scene, plan, wordsFor(wish))
  const refused = scene
    .callsNow('propose_plan')
    .map(refusal)
    .find((each) => each !== null)
  if (refused) return say(refusedText(refused))
  if (!changed && scene.calls('list_lxcs').length === 0) {
    return {
      text: `I look at what is there on ${wish.node}, then at how TypeType is installed.`,
      calls: [
        { name: 'list_lxcs', args: {} },
        { name: 'list_storages', args: {} },
        { name: 'list_templates', args: {} }
      ]
    }
  }
  if (!changed && scene.calls('web_fetch').length === 0)
    return { text: 'Now its README.', calls: [{ name: 'web_fetch', args: { url: page } }] }
  if (!changed && exists(scene, wish.hostname)) {
    return say(
      `There is a container **${wish.hostname}** already. I change nothing that I was not asked to change: tell me whether I should look at it, or destroy it first.`
    )
  }
  return { text: 'I have what I need. This is the plan:', calls: [planOf(wish, templateIn(scene, wish))] }
}

const exists = (scene: Scene, hostname: string): boolean =>
  rowsIn(scene.calls('list_lxcs').at(-1)?.result ?? '').some((row) => row['name'] === hostname)

const refusedText = (error: string): string => {
  const [first = '', ...rest] = error.replace(/^Error\s+[a-z_]+:\s*/, '').split('\n')
  return `The plan cannot be carried out like this, and nothing was changed.\n\n> ${first}\n\n${rest.join('\n')}\n\nTell me what to use instead, such as "hostname typetype" or "8 GiB disk", and I propose it again.`
}

const beforeStep = [
  '',
  'I create the container.',
  'The container exists and runs. Next: Node.js and curl in it.',
  'Next: the release and its unit.',
  'Next: enable and start the service.',
  'The service is started. Next: the route in Caddy.',
  'Next: reload Caddy, so that it serves the route.'
]

const wordsFor = (wish: Wish) => ({
  steps: 6,
  asks: `This makes a container **${wish.hostname}** on ${wish.node}, installs TypeType in it and serves it as https://${wish.domain}. Approve the plan on its card, or type "run all yourself"; I then go on by myself until it is verified.`,
  before: (step: number) => beforeStep[step] ?? `Next: step ${step}.`,
  verify: [
    { name: 'get_lxc_state', args: { target: `lxc:${wish.hostname}` } },
    { name: 'get_service_state', args: { target: `lxc:${wish.hostname}`, service: 'typetype.service' } },
    { name: 'check_http', args: { url: `https://${wish.domain}`, from: `host:${wish.node}` } }
  ],
  report: (checks: readonly Call[], scene: Scene) => report(wish, checks, scene)
})

function report(wish: Wish, checks: readonly Call[], scene: Scene): string {
  const of = (name: string) => checks.findLast((call) => call.name === name)?.result ?? ''
  const running = /\brunning\b/.test(firstLine(of('get_lxc_state')))
  const active = /\bactive \(running\)|"running"\s*:\s*true/.test(of('get_service_state'))
  const answers = /answers 200|"status"\s*:\s*200/.test(of('check_http'))
  const good = running && active && answers
  const vmid = /lxc:(\d+)/.exec(of('get_lxc_state'))?.[1]
  const retried = scene.requests.some((request) => request.outcome && !request.outcome.succeeded)
  const mark = (ok: boolean) => (ok ? '✓' : '✗')
  return [
    good
      ? `**TypeType runs** and answers at https://${wish.domain}.`
      : '**The plan was carried out, but the goal is not met yet.**',
    '',
    markdownTable(
      ['Checked', 'Result', ''],
      [
        [
          `Container ${wish.hostname}${vmid ? ` (${vmid})` : ''} on ${wish.node}`,
          firstLine(of('get_lxc_state')) || 'not known',
          mark(running)
        ],
        ['typetype.service', firstLine(of('get_service_state')) || 'not known', mark(active)],
        [`https://${wish.domain}`, firstLine(of('check_http')) || 'not known', mark(answers)]
      ]
    ),
    '',
    '### What was done',
    `1. Container **${wish.hostname}** created from a Debian template: ${wish.cores} cores, ${wish.memoryMiB} MiB memory, ${wish.diskGiB} GiB on ${wish.storage}`,
    `2. Node.js and curl installed${retried ? ' (one step had to be done again: the package manager was locked the first time)' : ''}`,
    '3. Latest release unpacked to `/opt/typetype`, unit `typetype.service` written',
    '4. Service enabled and started',
    `5. Route for ${wish.domain} pushed to the container caddy, and Caddy reloaded`,
    '',
    good
      ? `To undo it: destroy ${wish.hostname} and remove \`/etc/caddy/conf.d/${wish.domain}.caddy\`.`
      : 'I can read the logs of what is not right; just say so.'
  ].join('\n')
}

export const deploy: Script = {
  example: "deploy TypeType on strong as an LXC; it's github.com/Priveetee/TypeType, use tube.hubris.network",
  matches: (text) =>
    /\bdeploy\b|\binstall\b.*\btypetype\b|github\.com\/priveetee\/typetype/i.test(text) && !agrees(text),
  play
}
