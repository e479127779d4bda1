import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeSync
} from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../base/result'
import { isObject, type Json } from './json'

export type FileReading =
  | { readonly state: 'read'; readonly raw: Json }
  | { readonly state: 'absent' }
  | { readonly state: 'broken'; readonly why: string }

/** Far more than anybody writes. Bytes. */
const largest = 5_000_000

/** The configuration file as the operator wrote it. */
export function readConfigFile(path: string): FileReading {
  if (!existsSync(path)) return { state: 'absent' }
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return { state: 'broken', why: 'it is no file' }
    if (stats.size > largest) return { state: 'broken', why: 'the file is larger than 5 MB' }
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    if (text.trim() === '') return { state: 'broken', why: 'the file is empty' }
    const raw: unknown = JSON.parse(text)
    return isObject(raw)
      ? { state: 'read', raw }
      : { state: 'broken', why: 'the file does not hold a JSON object' }
  } catch (error) {
    return { state: 'broken', why: messageOf(error) }
  }
}

/** Writes a new file beside the old one and renames it, so that a crash leaves one of the two whole. */
export function writeConfigFile(path: string, raw: Json): void {
  const target = existsSync(path) ? realpathSync(path) : path
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const temporary = `${target}.${process.pid}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(raw, null, 2) + '\n')
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, target)
}

/** Keeps a copy of a file that cannot be read, under the first free name. */
export function keepBrokenCopy(path: string): string {
  let number = 1
  while (existsSync(`${path}.broken-${number}`)) number++
  const copy = `${path}.broken-${number}`
  copyFileSync(path, copy)
  return copy
}
