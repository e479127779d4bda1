import { z } from 'zod'

/**
 * Every failure that crosses a boundary: a stable code for programs, a sentence for the operator,
 * and, where there is one, the next thing to do.
 */
export interface AppError {
  /** Stable, in snake_case: tests and the screen rely on it. */
  readonly code: string
  /** What happened, in the operator's words; what was and was not changed. */
  readonly message: string
  /** What the operator (or the agent) can do now. */
  readonly hint?: string
  readonly data?: Readonly<Record<string, unknown>>
}

export const appErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional()
})

/** The outcome of anything that can fail for a reason worth telling. */
export type Result<T, E extends AppError = AppError> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** What a request over IPC answers. */
export type Reply<T> =
  { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: AppError }
