import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import ssh2, { type Client } from 'ssh2'
import type { Lab } from '../../../src-main/lab/port'
import { quoteArgv } from '../../../src-main/base/quote'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A plain ssh2 client on one of the lab's hosts, checked against the pinned key. */
export async function connect(lab: Pick<Lab, 'config'>, name = 'strong'): Promise<LabClient> {
  const host = lab.config.hosts.find((each) => each.name === name)
  if (!host || !('keyFile' in host.identity)) throw new Error(`no host ${name}`)
  const client = new ssh2.Client()
  const { port, hostKey } = host
  const privateKey = readFileSync(host.identity.keyFile)
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve).once('error', reject)
    client.connect({
      host: '127.0.0.1',
      port,
      username: host.user,
      privateKey,
      hostVerifier: (key: Buffer) =>
        `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}` === hostKey
    })
  })
  client.on('error', () => undefined)
  return new LabClient(client)
}

export class LabClient {
  constructor(readonly client: Client) {}

  /** Runs a command line; `stdin` is written and closed. */
  run(line: string, stdin = ''): Promise<Ran> {
    return new Promise((resolve, reject) => {
      this.client.exec(line, (error, channel) => {
        if (error) return reject(error)
        const out: Buffer[] = []
        const err: Buffer[] = []
        let code: number | null = null
        channel.on('data', (chunk: Buffer) => out.push(chunk))
        channel.stderr.on('data', (chunk: Buffer) => err.push(chunk))
        channel.on('exit', (status: number | null) => (code = status))
        channel.on('close', () =>
          resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() })
        )
        channel.end(stdin)
      })
    })
  }

  argv(...argv: string[]): Promise<Ran> {
    return this.run(quoteArgv(argv))
  }

  /** `sh -c SCRIPT nomos-job …` as the executor sends it; the script's text plays no role. */
  job(args: readonly string[], stdin = ''): Promise<Ran> {
    return this.run(
      quoteArgv(['sh', '-c', "case $1 in start) echo 'it''s a script';; esac", 'nomos-job', ...args]),
      stdin
    )
  }

  end(): void {
    this.client.end()
  }
}
