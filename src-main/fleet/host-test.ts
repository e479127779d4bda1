import type { HostConfig, HostKeyOffer, HostTestReport, HostTestStep } from '../../src-preload/contract'
import type { AppError } from '../base/result'
import type { Ssh } from '../ssh/port'

const order = ['key', 'connect', 'host_key', 'login', 'proxmox'] as const
type Step = HostTestStep['step']

/**
 * The step at which a connection with this error failed; whatever else goes wrong, the host was not reached. The own
 * key is read first: without it nothing is sent anywhere, so nothing may be said about the host.
 */
const failedSteps: Readonly<Record<string, Step>> = {
  key_unreadable: 'key',
  secret_missing: 'key',
  keychain_unavailable: 'key',
  host_key_unknown: 'host_key',
  host_key_changed: 'host_key',
  auth_failed: 'login',
  shell_unusable: 'login',
  sudo_needs_password: 'proxmox',
  connection_lost: 'proxmox',
  channel_refused: 'proxmox',
  exec_timeout: 'proxmox'
}

const reached: Readonly<Record<Step, string>> = {
  key: 'The key can be read.',
  connect: 'The host answers.',
  host_key: 'The host key is trusted.',
  login: 'The login works.',
  proxmox: 'Proxmox VE answers.'
}

/** Tries a host that may not be stored yet, step by step; changes nothing on it. */
export async function testHost(ssh: Ssh, config: HostConfig): Promise<HostTestReport> {
  const probed = await ssh.probe(config, ['pveversion'])
  if (!probed.ok) return failedAt(failedSteps[probed.error.code] ?? 'connect', probed.error)
  const { code, stdout } = probed.value
  const version = /pve-manager\/(\S+?)\//.exec(stdout)?.[1]
  if (code === 0 && version !== undefined)
    return { ok: true, steps: steps('proxmox', null, `Proxmox VE ${version}.`), offer: null }
  return failedAt('proxmox', {
    code: 'not_proxmox',
    message: `${config.user} can log in, but pveversion does not answer there.`,
    hint: `Is this a Proxmox VE node?${config.user === 'root' || config.sudo ? '' : ' A user other than root needs sudo: turn it on for this host.'}`,
    data: { user: config.user }
  })
}

function failedAt(step: Step, error: AppError): HostTestReport {
  const message = error.hint ? `${error.message} ${error.hint}` : error.message
  return {
    ok: false,
    steps: steps(step, { message, error }),
    offer: step === 'host_key' ? offerOf(error) : null
  }
}

type Failure = Pick<HostTestStep, 'message' | 'error'>

/** All steps up to `last`; those before it were reached. */
function steps(last: Step, failure: Failure | null, success = reached[last]): HostTestStep[] {
  const until = order.slice(0, order.indexOf(last) + 1)
  return until.map((step) =>
    step === last
      ? { step, ok: failure === null, message: success, ...failure }
      : { step, ok: true, message: reached[step] }
  )
}

function offerOf({ data }: AppError): HostKeyOffer | null {
  if (typeof data?.['fingerprint'] !== 'string' || typeof data['type'] !== 'string') return null
  return {
    host: String(data['host']),
    type: data['type'],
    fingerprint: data['fingerprint'],
    expected: typeof data['expected'] === 'string' ? data['expected'] : null
  }
}
