import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'

/** What is started: no shell in between, nothing of this program's environment but what is in `env`. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** How long a program is given to end after each of: end of its input, SIGTERM, SIGKILL. Milliseconds. */
const defaultGrace = 1500
const lookAgain = 20

/** What runs now; nothing of it is to outlive this program, however that ends. */
const running = new Set<number>()
const endAll = () => {
  for (const pid of running) signalTree(pid, 'SIGKILL')
}

/** A program with everything that it starts itself, in a process group of its own. */
export class ProcessTree {
  readonly child: ChildProcessWithoutNullStreams
  private readonly closed: Promise<unknown>
  private ending: Promise<void> | null = null

  constructor(
    program: Program,
    private readonly grace = defaultGrace
  ) {
    this.child = spawn(program.command, program.args, {
      ...{ cwd: program.cwd, env: { ...program.env }, stdio: 'pipe', shell: false, windowsHide: true },
      // The leader of a new group, which is what is signalled. Windows has none; taskkill finds the children.
      detached: process.platform !== 'win32'
    })
    if (this.child.pid !== undefined) {
      if (running.size === 0) process.once('exit', endAll)
      running.add(this.child.pid)
    }
    this.closed = new Promise((resolve) => this.child.once('close', resolve))
    // Its input may be gone before this program notices; how it ended is told by `exit`.
    this.child.stdin.on('error', () => undefined)
    // What it started may live on without it.
    this.child.once('exit', () => void this.end())
  }

  /** Ends all of it: first by closing its input, then SIGTERM, then SIGKILL. Resolves when nothing of it runs. */
  end(): Promise<void> {
    this.ending ??= this.endInSteps()
    return this.ending
  }

  private async endInSteps(): Promise<void> {
    const { pid } = this.child
    this.child.stdin.end()
    if (pid === undefined) return
    // Without its leader, the rest has nobody who would tell it to end.
    const hasLeader = this.child.exitCode === null && this.child.signalCode === null
    if (!(hasLeader && (await this.goneWithin(pid)))) {
      signalTree(pid, 'SIGTERM')
      if (!(await this.goneWithin(pid))) {
        signalTree(pid, 'SIGKILL')
        await this.goneWithin(pid)
      }
    }
    running.delete(pid)
    if (running.size === 0) process.off('exit', endAll)
    // Its last words are still read, unless somebody else holds its output open.
    await Promise.race([this.closed, wait(this.grace)])
    this.child.stdout.destroy()
    this.child.stderr.destroy()
  }

  private async goneWithin(pid: number): Promise<boolean> {
    const until = performance.now() + this.grace
    while (this.isAlive(pid)) {
      if (performance.now() >= until) return false
      await wait(lookAgain)
    }
    return true
  }

  private isAlive(pid: number): boolean {
    const leaderRuns = this.child.exitCode === null && this.child.signalCode === null
    if (leaderRuns || process.platform === 'win32') return leaderRuns
    try {
      process.kill(-pid, 0)
      return true
    } catch {
      return false
    }
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // Nothing of it runs any more.
  }
}
