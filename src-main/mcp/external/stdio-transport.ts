import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { redact } from '../../base/redact'
import { plainText } from '../../tools/text'
import { Lines } from './lines'
import { ProcessTree, type Program } from './process-tree'

/** Characters of a program's error output that are kept to be shown. */
const keptOfStderr = 4096

/**
 * MCP with a program on its stdin and stdout. What it writes that is no message is left out and does no harm;
 * its error output is read all the time, and the end of it kept.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  private tree: ProcessTree | null = null
  private errors = ''
  private closed = false

  constructor(
    private readonly program: Program,
    private readonly grace?: number
  ) {}

  /** What the program wrote to its error output last, without secrets. */
  get stderr(): string {
    return plainText(redact(this.errors))
  }

  /** Process id of the program; also of the group of what it starts. */
  get pid(): number | undefined {
    return this.tree?.child.pid
  }

  start(): Promise<void> {
    const tree = new ProcessTree(this.program, this.grace)
    this.tree = tree
    const { child } = tree
    this.read(tree)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors = (this.errors + text).slice(-keptOfStderr)
    })
    child.once('exit', () => void tree.end().then(() => this.ended()))
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? new Error(`There is no program ${this.program.command}`) : error)
      )
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.tree?.child.stdin
    return new Promise((resolve, reject) => {
      if (!stdin?.writable) return reject(new Error('The program has ended.'))
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  async close(): Promise<void> {
    await this.tree?.end()
    this.ended()
  }

  private ended(): void {
    if (this.closed) return
    this.closed = true
    this.onclose?.()
  }

  /** An answer that was too long to be read ends its call at once, rather than when its time is over. */
  private tellTooLong(head: string, tail: string): void {
    const id = idAtHead.exec(head)?.[1] ?? (/"method"\s*:/.test(head) ? undefined : idAtTail.exec(tail)?.[1])
    if (id === undefined) return
    const error = { code: -32000, message: 'Its answer has more than 4 MiB and was not read.' }
    this.onmessage?.({ jsonrpc: '2.0', id: Number(id), error })
  }

  private read(tree: ProcessTree): void {
    const lines = new Lines()
    tree.child.stdout.on('data', (chunk: Buffer) => {
      for (const line of lines.take(chunk)) {
        const message = messageIn(line)
        if (message === null) lines.reject(line)
        else {
          lines.accept()
          this.onmessage?.(message)
        }
      }
      for (const { head, tail } of lines.takeLeftOut()) this.tellTooLong(head, tail)
      if (!lines.hopeless) return
      this.onerror?.(new Error('It writes to its output what is not MCP, without an end.'))
      void tree.end()
    })
  }
}

/** The id of an answer stands before its result or behind it. */
const idAtHead =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error|jsonrpc)"/
const idAtTail = /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/

function messageIn(line: string): JSONRPCMessage | null {
  try {
    return JSONRPCMessageSchema.parse(JSON.parse(line))
  } catch {
    return null
  }
}
