import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export const sha256 = (content) => createHash('sha256').update(content).digest('hex')

/** A small file that remembers for which input a step was done last. */
export function stamp(file) {
  return {
    says(value) {
      try {
        return readFileSync(file, 'utf8') === value
      } catch {
        return false
      }
    },
    write(value) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, value)
    }
  }
}
