import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, platform, release } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src-preload/contract'
import { readJson } from '../base/json'
import { redactDeep } from '../base/redact-deep'
import { fail, messageOf, ok, type Result } from '../base/result'
import { listBackups, backupsFolder } from '../store/backups'
import type { Services } from './services'

type Sources = Pick<
  Services,
  'version' | 'store' | 'config' | 'secrets' | 'fleet' | 'logsFolder' | 'modelLabel'
>

const mostLines = 500

/**
 * Writes what helps to find a fault into one file and gives its folder: versions, settings, counts, the end of the log.
 * Secrets are named at most; every text goes through `redact` once more on the way out.
 * Errors: `diagnostics_failed`.
 */
export async function saveDiagnostics(sources: Sources): Promise<Result<string>> {
  const { store } = sources
  const folder = join(store.folder, 'diagnostics')
  const stamp = new Date(store.clock.now()).toISOString().slice(0, 19).replaceAll(':', '-')
  try {
    const content = await collect(sources)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(
      join(folder, `nomos-diagnostics-${stamp}.json`),
      JSON.stringify(redactDeep(content), null, 2),
      {
        mode: 0o600
      }
    )
    return ok(folder)
  } catch (error) {
    return fail('diagnostics_failed', `The diagnostics could not be written: ${messageOf(error)}`)
  }
}

async function collect({ version, store, config, secrets, fleet, logsFolder, modelLabel }: Sources) {
  const { backend, reason, names } = await secrets.state()
  const hosts = fleet.view().hosts
  return {
    at: new Date(store.clock.now()).toISOString(),
    nomos: version,
    system: { platform: platform(), release: release(), arch: arch() },
    versions: process.versions,
    model: modelLabel(),
    settings: withoutValues(config.get()),
    settingsLeftOut: config.problems(),
    keychain: { backend, reason, stored: names.length },
    hosts: hosts.map(({ name, connection }) => ({ name, connection })),
    database: { schema: store.db.pragma('user_version', { simple: true }), rows: rowCounts(store.db) },
    backups: listBackups(backupsFolder(store.folder)),
    log: lastLines(join(logsFolder, 'nomos.log')).map((line) => readJson(line) ?? line)
  }
}

/** What the environment of an external server holds is often a secret: its names are enough. */
const withoutValues = (config: Config) => ({
  ...config,
  mcpServers: Object.fromEntries(
    Object.entries(config.mcpServers).map(([name, server]) => [
      name,
      'command' in server
        ? { command: server.command, env: Object.keys(server.env) }
        : { url: originOf(server.url) }
    ])
  ),
  ...(config.model && { model: withOrigin(config.model) }),
  models: config.models.map(withOrigin)
})

const withOrigin = <T extends { readonly baseURL?: string | undefined }>(model: T): T =>
  model.baseURL ? { ...model, baseURL: originOf(model.baseURL) } : model

/** An address may carry a name, a password or a token. */
const originOf = (address: string): string => new URL(address).origin

function rowCounts(db: Services['store']['db']): Readonly<Record<string, number>> {
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .pluck()
    .all() as string[]
  const count = (table: string) => Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get())
  return Object.fromEntries(tables.map((table) => [table, count(table)]))
}

function lastLines(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-mostLines)
}
