import type { AppError } from '../../../src-preload/contract'

/** What an execution's turn has brought: it has ended, go on at once, go on later, or the host could not be asked. */
export type Turn = 'ended' | 'on' | 'later' | AppError

/** Milliseconds between looks at a job that cannot be followed. */
export const pollMs = 1000

const waits = [1000, 2000, 5000, 10_000, 30_000]

/** Milliseconds to wait after so many failures in a row to ask a host; a connection that comes back ends the wait. */
export const patience = (failures: number): number => waits[failures] ?? 60_000
