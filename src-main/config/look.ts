import type { Config } from '../../src-preload/contract'
import { readConfigFile } from './file'
import { isObject } from './json'

/** What the window needs to know before the rest of the program is read. */
export interface Look {
  readonly theme: Config['appearance']['theme']
  readonly language: Config['appearance']['language']
}

/**
 * How the configuration file wants the window to look, and whether the app starts `hidden`. Only that is read of it,
 * without the schemas: reading those would keep the window waiting. What is wrong counts as not said, as it does later.
 */
export function lookAtStart(path: string): Look & { readonly hidden: boolean } {
  const file = readConfigFile(path)
  const part = (name: string): Readonly<Record<string, unknown>> => {
    const value = file.state === 'read' ? file.raw[name] : undefined
    return isObject(value) ? value : {}
  }
  const { theme, language } = part('appearance')
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    language: language === 'en' || language === 'de' ? language : 'system',
    hidden: part('startup')['hidden'] !== false
  }
}
