import type { FleetView, HostConfig } from '../../../src-preload/contract'
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
    'key.generate': ({ name }) => keys.generate(name),
    'key.import': ({ name, privateKey, passphrase }) => keys.import(name, privateKey, passphrase)
  }
}

function addHost(services: Services, host: HostConfig): Result<FleetView> {
  const hosts = services.config.get().hosts
  if (hosts.some(({ name }) => name === host.name))
    return fail(
      'host_exists',
      `There is already a host called ${host.name}. Nothing was changed.`,
      'Choose another name.'
    )
  if (host.jump !== undefined && !hosts.some(({ name }) => name === host.jump))
    return fail('host_unknown', `The host to go through, ${host.jump}, is not set up. Nothing was changed.`)
  const saved = services.config.update({ hosts: [...hosts, host] })
  if (!saved.ok) return saved
  askAnew(services, host.name)
  return ok(services.fleet.view())
}

function removeHost(services: Services, name: string): Result<FleetView> {
  const hosts = services.config.get().hosts
  if (!hosts.some((host) => host.name === name))
    return fail('host_unknown', `There is no host called ${name}.`)
  const behind = hosts.filter((host) => host.jump === name).map((host) => host.name)
  if (behind.length > 0)
    return fail(
      'host_in_use',
      `${behind.join(', ')} can only be reached through ${name}. Nothing was changed.`,
      'Remove or change those first.'
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
