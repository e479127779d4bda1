import { readFile } from '../shell/files'
import { type Call, die, type Programs } from '../shell/program'

/** The reverse proxy's own program, as far as an operator asks it about its configuration. */
export const caddyPrograms: Programs = { caddy: { package: 'caddy', run: caddy } }

const defaultConfig = '/etc/caddy/Caddyfile'

function caddy(call: Call): number {
  const [verb = '', ...rest] = call.args
  if (verb === 'version') return (call.out('v2.8.4\n'), 0)
  if (verb === 'validate' || verb === 'adapt') return validate(call, configIn(rest))
  return die(call, `Error: unknown command "${verb}" for "caddy"`, 1)
}

const configIn = (args: readonly string[]): string => {
  const at = args.findIndex((arg) => arg === '--config' || arg === '-c')
  return args[at + 1] ?? defaultConfig
}

/** Every file that is read has to close what it opens. */
function validate(call: Call, path: string): number {
  const main = readFile(call.world, call.machine, path, call.now())
  if (main === null)
    return die(call, `Error: reading config from file: open ${path}: no such file or directory`, 1)
  const imported = Object.entries(call.machine.files).filter(([file]) =>
    /^\/etc\/caddy\/conf\.d\/[^/]+$/.test(file)
  )
  const texts = [[path, main] as const, ...imported.map(([file, { content }]) => [file, content] as const)]
  const broken = texts.find(([, text]) => count(text, '{') !== count(text, '}'))
  if (broken) return die(call, `Error: adapting config using caddyfile: ${broken[0]}: unexpected EOF`, 1)
  call.out('Valid configuration\n')
  return 0
}

const count = (text: string, mark: string): number => text.split(mark).length - 1
