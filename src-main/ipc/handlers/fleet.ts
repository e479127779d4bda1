import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { FleetView, HostConfig, KnownHostsReport } from '../../../src-preload/contract'
import { fail, messageOf, ok, type Result } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'

/** The fleet, the hosts that are set up, and the keys to log in to them. */
export function fleetHandlers(services: Services): Group<'fleet' | 'host' | 'key'> {
  const { fleet, keys, ssh } = services
  return {
    'fleet.get': async () => ok(fleet.view()),
    'fleet.refresh': () => fleet.refresh(),
    'fleet.samples': async () => ok(fleet.samples()),
    'host.test': async (host) => ok(await services.testHost(host)),
    'host.add': async (host) => addHost(services, host),
    'host.remove': async ({ name }) => removeHost(services, name),
    'host.trust_key': async ({ host, fingerprint, replaceChanged }) => {
      const trusted = ssh.trust(host, fingerprint, replaceChanged)
      if (trusted.ok) askAnew(services, host)
      return trusted
    },
    'host.import_known_hosts': async ({ text }) => importKnownHosts(services, text),
    'host.forget_key': async ({ host }) => {
      const forgotten = ssh.forgetKey(host)
      if (forgotten.ok) askAnew(services, host)
      return forgotten
    },
    'key.generate': ({ name }) => keys.generate(name),
    'key.import': ({ name, privateKey, passphrase }) => keys.import(name, privateKey, passphrase)
  }
}

function importKnownHosts(services: Services, given: string | undefined): Result<KnownHostsReport> {
  const text = given === undefined ? ownKnownHosts() : ok(given)
  if (!text.ok) return text
  const report = services.ssh.importKnownHosts(text.value)
  for (const { host, outcome } of report.hosts) if (outcome === 'imported') askAnew(services, host)
  return ok(report)
}

/** The file that `ssh` of the same user relies on (ssh_config(5), UserKnownHostsFile). */
function ownKnownHosts(): Result<string> {
  const path = join(homedir(), '.ssh', 'known_hosts')
  try {
    return ok(readFileSync(path, 'utf8'))
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return fail(
      'known_hosts_unreadable',
      isAbsent ? `There is no file ${path}.` : `${path} cannot be read: ${messageOf(error)}`,
      'Paste its lines instead, or trust each host on its card.',
      { path, absent: isAbsent }
    )
  }
}

function addHost(services: Services, host: HostConfig): Result<FleetView> {
  const hosts = services.config.get().hosts
  if (hosts.some(({ name }) => name === host.name))
    return fail(
      'host_exists',
      `There is already a host called ${host.name}. Nothing was changed.`,
      'Choose another name.',
      { host: host.name }
    )
  if (host.jump !== undefined && !hosts.some(({ name }) => name === host.jump))
    return fail(
      'host_unknown',
      `The host to go through, ${host.jump}, is not set up. Nothing was changed.`,
      undefined,
      { host: host.jump }
    )
  const saved = services.config.update({ hosts: [...hosts, host] })
  if (!saved.ok) return saved
  askAnew(services, host.name)
  return ok(services.fleet.view())
}

function removeHost(services: Services, name: string): Result<FleetView> {
  const hosts = services.config.get().hosts
  if (!hosts.some((host) => host.name === name))
    return fail('host_unknown', `There is no host called ${name}.`, undefined, { host: name })
  const behind = hosts.filter((host) => host.jump === name).map((host) => host.name)
  if (behind.length > 0)
    return fail(
      'host_in_use',
      `${behind.join(', ')} can only be reached through ${name}. Nothing was changed.`,
      'Remove or change those first.',
      { host: name, behind }
    )
  const saved = services.config.update({ hosts: hosts.filter((host) => host.name !== name) })
  if (!saved.ok) return saved
  services.ssh.disconnect(name)
  return ok(services.fleet.view())
}

/** Asks the host in the background; what it answers arrives as an event. */
function askAnew({ fleet, log }: Services, host: string): void {
  fleet
    .refresh(host)
    .catch((error: unknown) =>
      log.log('error', 'ipc', 'the host could not be asked', { host, error: messageOf(error) })
    )
}
