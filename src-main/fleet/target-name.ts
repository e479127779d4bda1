import { fail, ok, type Result } from '../base/result'
import type { TargetName } from './port'

const form =
  /^(host|lxc|vm):([A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9_])?)(?:@([A-Za-z0-9](?:[A-Za-z0-9._-]{0,62})?))?$/

const howToWrite =
  'Write host:NAME, lxc:NAME or lxc:VMID, vm:NAME or vm:VMID, with @NODE where a name is not unique.'

/** Takes `lxc:typetype@strong` apart. Error: `target_invalid`. */
export function parseTarget(text: string): Result<TargetName> {
  const found = form.exec(text.trim())
  const [, kind, id, node] = found ?? []
  if (!id || (kind !== 'host' && kind !== 'lxc' && kind !== 'vm'))
    return fail('target_invalid', `"${printable(text)}" does not name a target.`, howToWrite, {
      target: printable(text)
    })
  if (kind === 'host' && node)
    return fail('target_invalid', `"${printable(text)}": a host is not on a node.`, `Write host:${id}.`, {
      target: printable(text)
    })
  return ok({ kind, id, node: node ?? null })
}

/** The target as it is written: `lxc:typetype@strong`. */
export const formatTarget = (target: TargetName): string =>
  `${target.kind}:${target.id}${target.node === null ? '' : `@${target.node}`}`

const printable = (text: string): string =>
  text
    .slice(0, 100)

    .replace(/[\u0000-\u001f\u007f]/g, ' ')
