import type { Programs } from '../shell/program'
import { aptPrograms } from './apt'
import { caddyPrograms } from './caddy'
import { filePrograms } from './filesystem'
import { journalPrograms } from './journalctl'
import { networkPrograms } from './network'
import { pctPrograms } from './pct'
import { pveshPrograms } from './pvesh'
import { qmPrograms } from './qm'
import { storagePrograms } from './storage'
import { systemPrograms } from './system'
import { systemctlPrograms } from './systemctl'
import { textPrograms } from './text'

/** Every program the lab's machines have. */
export const programs: Programs = {
  ...textPrograms,
  ...filePrograms,
  ...systemPrograms,
  ...networkPrograms,
  ...aptPrograms,
  ...systemctlPrograms,
  ...journalPrograms,
  ...pctPrograms,
  ...qmPrograms,
  ...pveshPrograms,
  ...storagePrograms,
  ...caddyPrograms
}
