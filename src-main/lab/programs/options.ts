export interface Options {
  /** Long and short options without dashes; a flag is `true`. */
  readonly flags: ReadonlyMap<string, string | true>
  readonly rest: readonly string[]
  has(...names: string[]): boolean
  value(...names: string[]): string | undefined
}

/**
 * Takes GNU-style arguments apart. `valued` names the options that take a value; every other one is a flag.
 * Short flags may stand together (`-sSf`), a short option's value may follow at once (`-n20`).
 */
export function options(args: readonly string[], valued: readonly string[] = []): Options {
  const flags = new Map<string, string | true>()
  const rest: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--') {
      rest.push(...args.slice(i + 1))
      break
    }
    const long = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg)
    if (long) {
      const name = long[1] ?? ''
      if (long[2] !== undefined) flags.set(name, join(flags.get(name), long[2]))
      else if (valued.includes(name)) flags.set(name, join(flags.get(name), args[++i] ?? ''))
      else flags.set(name, true)
    } else if (/^-[^-]/.test(arg)) {
      for (let at = 1; at < arg.length; at++) {
        const name = arg[at] ?? ''
        if (!valued.includes(name)) {
          flags.set(name, true)
          continue
        }
        flags.set(name, join(flags.get(name), arg.slice(at + 1) || (args[++i] ?? '')))
        break
      }
    } else {
      rest.push(arg)
    }
  }
  return {
    flags,
    rest,
    has: (...names) => names.some((name) => flags.has(name)),
    value: (...names) => names.map((name) => flags.get(name)).find((v): v is string => typeof v === 'string')
  }
}

/** An option given twice keeps both values, comma between (`-p A -p B`). */
const join = (before: string | true | undefined, value: string): string =>
  typeof before === 'string' ? `${before},${value}` : value

export type PveArguments =
  | {
      readonly ok: true
      readonly positional: readonly string[]
      readonly set: Readonly<Record<string, string>>
    }
  | { readonly ok: false; readonly text: string }

/**
 * Arguments as Proxmox VE's tools take them: `--name value`, `--name=value`, `-name value`; an option may repeat its
 * value with no argument only when it is a flag. Texts as in pve-common JSONSchema.pm.
 */
export function pveArguments(
  args: readonly string[],
  known: readonly string[] | RegExp,
  positionals: number
): PveArguments {
  const positional: string[] = []
  const set: Record<string, string> = {}
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    const match = /^--?([A-Za-z][A-Za-z0-9_-]*)(?:=([\s\S]*))?$/.exec(arg)
    if (!match) {
      positional.push(arg)
      continue
    }
    const name = match[1] ?? ''
    if (!isKnown(known, name))
      return { ok: false, text: `Unknown option: ${name}\n400 unable to parse option` }
    const next = args[i + 1]
    if (match[2] !== undefined) set[name] = match[2]
    else if (next !== undefined && !/^--?[A-Za-z]/.test(next)) {
      set[name] = next
      i++
    } else set[name] = '1'
  }
  if (positional.length > positionals) return { ok: false, text: '400 too many arguments' }
  if (positional.length < positionals) return { ok: false, text: '400 not enough arguments' }
  return { ok: true, positional, set }
}

const isKnown = (known: readonly string[] | RegExp, name: string): boolean =>
  known instanceof RegExp ? known.test(name) : known.includes(name)
