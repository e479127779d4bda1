import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../base/clock'
import { Simulation } from './jobs/simulation'
import { LabStore } from './jobs/store'
import { startModel } from './model/server'
import { labModel } from './model/wire'
import type { Lab, LabOptions, LabView } from './port'
import { labKey } from './ssh/keys'
import { startSshServer } from './ssh/server'
import { nameOf } from './world/look'
import { siteAddress, startSite } from './web/site'

export type { Lab, LabOptions } from './port'

const commandsKept = 1000

/**
 * Starts the lab: an SSH server for each simulated node, a small web site, and the scripted model, all on loopback.
 * On the folder of an earlier run it goes on where that one stands, and catches up with what was due meanwhile.
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const keys = join(options.folder, 'keys')
  const client = labKey(keys, 'client')
  const simulation = new Simulation(new LabStore(options.folder), systemClock, options.pace)
  const commands: { node: string; line: string }[] = []
  const names = Object.keys(simulation.world.nodes)
  const servers = await Promise.all(
    names.map(async (name) => {
      const hostKey = labKey(keys, `host-${name}`)
      const server = await startSshServer(simulation, name, hostKey, client, (line) => {
        commands.push({ node: name, line: shortened(line) })
        if (commands.length > commandsKept) commands.shift()
      })
      return { name, hostKey, server }
    })
  )
  const site = await startSite()
  const model = await startModel(options.pace)

  return {
    config: {
      hosts: servers.map(({ name, hostKey, server }) => ({
        name,
        address: '127.0.0.1',
        port: server.port,
        user: 'root',
        identity: { keyFile: client.file },
        hostKey: hostKey.fingerprint,
        sudo: false
      })),
      model: {
        provider: 'openai-compatible',
        baseURL: `${model.url}/v1`,
        model: labModel,
        contextWindow: 128_000
      },
      webFetchAllow: [`127.0.0.1:${site.port}`]
    },
    web: site.url,
    rewrite: (url) => siteAddress(site.url, url),
    inspect: () => viewOf(simulation, commands),
    faults: {
      dropConnections: (node) => {
        for (const { name, server } of servers)
          if (node === undefined || node === name) server.dropConnections()
      },
      reboot: (node) => {
        simulation.reboot(node)
        for (const { name, server } of servers) if (name === node) server.dropConnections()
      }
    },
    async stop() {
      simulation.stop()
      await Promise.all([...servers.map(({ server }) => server.stop()), site.stop(), model.stop()])
    }
  }
}

/** Host scripts are long and always the same: only their verb and arguments are of interest. */
function shortened(line: string): string {
  const mark = line.lastIndexOf('nomos-job')
  return mark < 0 || line.length < 400 ? line : `sh -c … ${line.slice(mark)}`
}

function viewOf(simulation: Simulation, commands: LabView['commands']): LabView {
  const jobs = simulation.jobs()
  return {
    guests: Object.values(simulation.world.guests).map((guest) => ({
      vmid: guest.vmid,
      name: nameOf(guest),
      node: guest.node,
      kind: guest.kind,
      status: guest.status,
      lock: guest.lock
    })),
    jobs: jobs.map((job) => ({
      id: job.id,
      node: job.node,
      starts: simulation.starts[job.id] ?? 0,
      state: job.end?.kind ?? 'running',
      code: job.end?.kind === 'exit' ? job.end.code : null
    })),
    starts: { ...simulation.starts },
    commands: [...commands]
  }
}
