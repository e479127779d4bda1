const passed = new Map<string, number>()

/**
 * A named place where a crash is worth testing. With `NOMOS_CRASH_AT` set to its name the process kills itself
 * here, as a power cut would; with `name#2` at the second time it comes by. Otherwise nothing happens.
 */
export function crashPoint(name: string): void {
  const wanted = process.env['NOMOS_CRASH_AT']
  if (wanted === undefined) return
  const times = (passed.get(name) ?? 0) + 1
  passed.set(name, times)
  if (wanted === (times === 1 ? name : `${name}#${times}`)) process.kill(process.pid, 'SIGKILL')
}
