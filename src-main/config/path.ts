import { join } from 'node:path'

/** NOMOS_CONFIG, or `nomos.config.json` in the home folder. */
export const configPath = (home: string, env: NodeJS.ProcessEnv): string =>
  env.NOMOS_CONFIG !== undefined && env.NOMOS_CONFIG !== ''
    ? env.NOMOS_CONFIG
    : join(home, 'nomos.config.json')
