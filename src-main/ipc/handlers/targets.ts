import type { TargetDetail } from '../../../src-preload/contract'
import { fail, ok, type Result } from '../../base/result'
import { nodeChoices } from '../../fleet/detail/choices'
import { listContent } from '../../fleet/detail/content'
import { guestDetail } from '../../fleet/detail/guest'
import { hostDetail } from '../../fleet/detail/host'
import { readJournal } from '../../fleet/detail/journal'
import { listServices } from '../../fleet/detail/services'
import { listSnapshots } from '../../fleet/detail/snapshots'
import { listTasks } from '../../fleet/detail/tasks'
import { listUpdates } from '../../fleet/detail/updates'
import { readUsage } from '../../fleet/detail/usage'
import type { ResolvedTarget } from '../../fleet/port'
import { plainData } from '../../tools/text'
import type { Group } from '../handler-map'
import type { Services } from '../services'

/** Tasks of a node that are shown. */
const latestTasks = 100

/** What is read of one host or guest while it is looked at. Texts of hosts come without secrets and escape sequences. */
export function targetHandlers({ fleet, ssh }: Services): Group<'target' | 'node'> {
  const inside = { fleet, ssh }

  const read = async <T>(
    target: string,
    of: (found: ResolvedTarget) => Promise<Result<T>>
  ): Promise<Result<T>> => {
    const found = await fleet.resolve(target)
    return found.ok ? plain(await of(found.value)) : found
  }

  const onNode = async <T>(
    host: string,
    of: (host: string, node: string) => Promise<Result<T>>
  ): Promise<Result<T>> => {
    const found = await fleet.resolve(`host:${host}`)
    if (!found.ok) return found
    const node = fleet.hosts().find(({ name }) => name === found.value.host)?.node ?? null
    return node === null
      ? fail('not_proxmox', `${host} is not a Proxmox VE node.`, undefined, { host })
      : plain(await of(found.value.host, node))
  }

  return {
    'target.detail': ({ target }) =>
      read<TargetDetail>(target, (found) =>
        found.kind === 'host' ? hostDetail(fleet, found) : guestDetail(fleet, found.kind, target)
      ),
    'target.snapshots': ({ target }) => read(target, (found) => listSnapshots(fleet, found)),
    'target.services': ({ target }) => read(target, (found) => listServices(inside, found)),
    'target.logs': ({ target, service, lines }) =>
      read(target, (found) => readJournal(inside, found, { service, lines })),
    'target.updates': ({ target }) => read(target, (found) => listUpdates(inside, found)),
    'target.usage': ({ target, span }) => read(target, (found) => readUsage(fleet, found, span)),
    'node.tasks': ({ host }) => onNode(host, (name, node) => listTasks(fleet, name, node, latestTasks)),
    'node.content': ({ host, storage }) =>
      onNode(host, (name, node) => listContent(fleet, { host: name, node, storage })),
    'node.choices': ({ host }) => onNode(host, (name, node) => nodeChoices(fleet, name, node))
  }
}

const plain = <T>(result: Result<T>): Result<T> => (result.ok ? ok(plainData(result.value) as T) : result)
