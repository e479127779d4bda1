import { ok } from '../../src-main/base/result'
import type { Shell } from '../../src-main/ipc/shell'

/** A desktop around the window that says yes to everything, unless told otherwise. */
export const agreeableShell = (different: Partial<Shell> = {}): Shell => ({
  openExternal: async () => ok(null),
  copy: () => undefined,
  showFolder: async () => ok(null),
  confirmProgram: async () => true,
  noteShown: () => undefined,
  restart: () => undefined,
  ...different
})
