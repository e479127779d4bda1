/**
 * A named place where a crash is worth testing. With `NOMOS_CRASH_AT` set to its name the process kills itself
 * here, as a power cut would; otherwise nothing happens.
 */
export function crashPoint(name: string): void {
  if (process.env['NOMOS_CRASH_AT'] === name) process.kill(process.pid, 'SIGKILL')
}
