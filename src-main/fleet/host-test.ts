import type { HostConfig, HostKeyOffer, HostTestReport, HostTestStep } from '../../src-preload/contract'
import type { AppError } from '../base/result'
import type { Ssh } from '../ssh/port'

const order = ['connect', 'host_key', 'login', 'proxmox'] as const

/** The step at which a connection with this error failed. */
const stepOf = (code: string): (typeof order)[number] => {
  if (code === 'host_key_unknown' || code === 'host_key_changed') return 'host_key'
  if (
    [
      'auth_failed',
      'key_unreadable',
      'secret_missing',
      'keychain_unavailable',
      'sudo_needs_password'
    ].includes(code)
  )
    return 'login'
  return 'connect'
}

const reached: Record<HostTestStep['step'], string> = {
  connect: 'The host answers.',
  host_key: 'The host key is trusted.',
  login: 'The login works.',
  proxmox: 'Proxmox VE answers.'
}

/** Tries a host that may not be stored yet, step by step; changes nothing on it. */
export async function testHost(ssh: Ssh, config: HostConfig): Promise<HostTestReport> {
  const probed = await ssh.probe(config, ['pveversion'])
  if (!probed.ok) return failedAt(stepOf(probed.error.code), probed.error)
  const { code, stdout } = probed.value
  const version = /pve-manager\/(\S+?)\//.exec(stdout)?.[1]
  if (code === 0 && version !== undefined)
    return { ok: true, steps: steps('proxmox', null, `Proxmox VE ${version}.`), offer: null }
  return failedAt('proxmox', {
    code: 'not_proxmox',
    message: `${config.user} can log in, but pveversion does not answer there.`,
    hint: 'Is this a Proxmox VE node? A user other than root needs "sudo": true.'
  })
}

function failedAt(step: HostTestStep['step'], error: AppError): HostTestReport {
  const message = error.hint ? `${error.message} ${error.hint}` : error.message
  return { ok: false, steps: steps(step, message), offer: step === 'host_key' ? offerOf(error) : null }
}

/** All steps up to `last`; those before it were reached. */
function steps(last: HostTestStep['step'], failure: string | null, success = reached[last]): HostTestStep[] {
  const until = order.slice(0, order.indexOf(last) + 1)
  return until.map((step) =>
    step === last
      ? { step, ok: failure === null, message: failure ?? success }
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
