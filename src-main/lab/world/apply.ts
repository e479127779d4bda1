import { unreachable } from '../../base/result'
import { bootServices, haltServices } from './services'
import type { Change, Machine, World } from './types'

const journalKept = 400
const tasksKept = 200

/** Applies one change to the world in place. */
export function apply(world: World, change: Change): void {
  switch (change.do) {
    case 'guest.add':
      world.guests[change.guest.vmid] = structuredClone(change.guest)
      if (change.machine) world.machines[change.machine.id] = structuredClone(change.machine)
      return
    case 'guest.remove':
      delete world.guests[change.vmid]
      delete world.machines[`lxc:${change.vmid}`]
      return
    case 'guest.set': {
      const guest = world.guests[change.vmid]
      if (!guest) return
      const before = guest.status
      Object.assign(guest, change.set)
      const machine = world.machines[`lxc:${change.vmid}`]
      if (machine && guest.status !== before) {
        if (guest.status === 'running') bootServices(machine, guest.startedAt ?? 0)
        else haltServices(machine)
      }
      return
    }
    case 'guest.config': {
      const guest = world.guests[change.vmid]
      if (!guest) return
      Object.assign(guest.config, change.set)
      for (const key of change.remove) delete guest.config[key]
      const machine = world.machines[`lxc:${change.vmid}`]
      if (machine && change.set['hostname']) machine.hostname = change.set['hostname']
      return
    }
    case 'snapshot.add':
      return addSnapshot(world, change)
    case 'snapshot.remove': {
      const guest = world.guests[change.vmid]
      if (guest) guest.snapshots = guest.snapshots.filter((s) => s.name !== change.name)
      return
    }
    case 'snapshot.rollback':
      return rollBack(world, change.vmid, change.name)
    case 'file.put':
      return withMachine(world, change.machine, (m) => void (m.files[change.path] = { ...change.file }))
    case 'file.remove':
      return withMachine(world, change.machine, (m) => void delete m.files[change.path])
    case 'service.put':
      return withMachine(
        world,
        change.machine,
        (m) => void (m.services[change.service.unit] = { ...change.service })
      )
    case 'service.remove':
      return withMachine(world, change.machine, (m) => void delete m.services[change.unit])
    case 'machine.set':
      return withMachine(world, change.machine, (m) => void Object.assign(m, structuredClone(change.set)))
    case 'package.add':
      return withMachine(world, change.machine, (m) => {
        m.packages = [...new Set([...m.packages, ...change.names])]
      })
    case 'package.remove':
      return withMachine(world, change.machine, (m) => {
        m.packages = m.packages.filter((name) => !change.names.includes(name))
      })
    case 'journal.add':
      return withMachine(world, change.machine, (m) => {
        m.journal = [...m.journal, change.entry].slice(-journalKept)
      })
    case 'template.add':
    case 'template.remove': {
      const storage = world.nodes[change.node]?.storages[change.storage]
      if (!storage) return
      const others = storage.templates.filter((name) => name !== change.name)
      storage.templates = change.do === 'template.add' ? [...others, change.name].sort() : others
      return
    }
    case 'task.start':
      world.tasks = [...world.tasks, { ...change.task }].slice(-tasksKept)
      return
    case 'task.end': {
      const task = world.tasks.find((t) => t.upid === change.upid)
      if (task) Object.assign(task, { endedAt: change.at, status: change.status })
      return
    }
    case 'schedule':
      world.scheduled.push({ at: change.at, change: change.change })
      return
    case 'count':
      world.counter = Math.max(world.counter, change.to)
      return
    default:
      return unreachable(change)
  }
}

function withMachine(world: World, id: string, act: (machine: Machine) => void): void {
  const machine = world.machines[id]
  if (machine) act(machine)
}

function addSnapshot(world: World, change: Extract<Change, { do: 'snapshot.add' }>): void {
  const guest = world.guests[change.vmid]
  if (!guest) return
  const machine = world.machines[`lxc:${change.vmid}`]
  guest.snapshots.push({
    name: change.name,
    description: change.description,
    at: change.at,
    parent: guest.snapshots.at(-1)?.name ?? null,
    config: { ...guest.config },
    memory: change.memory,
    machine: machine ? structuredClone(machine) : null
  })
}

function rollBack(world: World, vmid: number, name: string): void {
  const guest = world.guests[vmid]
  const snapshot = guest?.snapshots.find((s) => s.name === name)
  if (!guest || !snapshot) return
  guest.config = { ...snapshot.config }
  if (snapshot.machine) {
    world.machines[snapshot.machine.id] = structuredClone(snapshot.machine)
    const machine = world.machines[snapshot.machine.id]
    if (machine) haltServices(machine)
  }
  Object.assign(guest, { status: 'stopped', startedAt: null, pid: null })
}
