import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../../src-main/base/log'
import { systemClock } from '../../../src-main/base/clock'
import { openConfig } from '../../../src-main/config/config'
import { createFleet, type FleetService } from '../../../src-main/fleet/fleet'
import type { HostConfig } from '../../../src-preload/contract'
import { startSshClient, type TestSsh } from '../../support/ssh-client'
import { startSshd, type Sshd } from '../../support/sshd'

/** Answers `pvesh get PATH` from a file; what it read before it was held back is what it prints afterwards. */
const pvesh = `#!/bin/sh
echo "$2" >> "$PVE_FOLDER/calls"
file="$PVE_FOLDER/$(echo "$2" | tr / _).json"
[ -f "$file" ] || { echo "no such resource '$2'" >&2; exit 2; }
answer=$(cat "$file")
while [ -f "$PVE_FOLDER/hold" ]; do sleep 0.02; done
echo "$answer"
`

/** A node that answers over a real sshd. */
export interface StandInNode {
  readonly sshd: Sshd
  /** What pvesh prints for a path from now on; JSON unless it is a string. */
  answer(path: string, value: unknown): void
  /** Paths that were asked since the last time this was called. */
  calls(): string[]
  hold(): void
  release(): void
  stop(): Promise<void>
}

/** `proxmox: false` makes it a host with SSH and nothing else. */
export async function standInNode({ proxmox = true } = {}): Promise<StandInNode> {
  const folder = mkdtempSync(join(tmpdir(), 'nomos-pve-'))
  const tools = join(folder, 'bin')
  mkdirSync(tools)
  if (proxmox) {
    writeFileSync(join(tools, 'pvesh'), pvesh)
    chmodSync(join(tools, 'pvesh'), 0o755)
  }
  const sshd = await startSshd({ tools, env: { PVE_FOLDER: folder } })
  const calls = join(folder, 'calls')
  return {
    sshd,
    answer: (path, value) =>
      writeFileSync(
        join(folder, `${path.replaceAll('/', '_')}.json`),
        typeof value === 'string' ? value : JSON.stringify(value)
      ),
    calls() {
      const lines = existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').filter(Boolean) : []
      rmSync(calls, { force: true })
      return lines
    },
    hold: () => writeFileSync(join(folder, 'hold'), ''),
    release: () => rmSync(join(folder, 'hold'), { force: true }),
    async stop() {
      await sshd.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The fleet over the real SSH client, with the configuration of these hosts. */
export function fleetOf(hosts: readonly HostConfig[]): {
  fleet: FleetService
  client: TestSsh
  configure(hosts: readonly HostConfig[]): void
  stop(): Promise<void>
} {
  const folder = mkdtempSync(join(tmpdir(), 'nomos-fleet-'))
  const file = join(folder, 'nomos.config.json')
  writeFileSync(file, JSON.stringify({ hosts }))
  const config = openConfig(file)
  const client = startSshClient(hosts)
  const fleet = createFleet({
    ssh: client.ssh,
    store: client.store,
    config,
    clock: systemClock,
    log: silentLogger
  })
  return {
    fleet,
    client,
    configure(next) {
      client.configure(next)
      const updated = config.update({ hosts: [...next] })
      if (!updated.ok) throw new Error(updated.error.message)
    },
    async stop() {
      fleet.stop()
      await client.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
