/** A string as SSH puts it on the wire: its length, then its bytes (RFC 4251, section 5). */
export function sshString(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Reads wire values one after the other; undefined when the bytes end too early. */
export class WireReader {
  private at = 0
  constructor(private readonly bytes: Buffer) {}

  uint32(): number | undefined {
    if (this.at + 4 > this.bytes.length) return undefined
    this.at += 4
    return this.bytes.readUInt32BE(this.at - 4)
  }

  string(): Buffer | undefined {
    const length = this.uint32()
    if (length === undefined || this.at + length > this.bytes.length) return undefined
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  skip(bytes: number): this {
    this.at += bytes
    return this
  }
}
