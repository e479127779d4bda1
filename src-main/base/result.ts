import type { AppError, Result } from '../../src-preload/contract'

export type { AppError, Result }

/** A success. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

/** A failure with a stable code, what happened, and what can be done. */
export const fail = (
  code: string,
  message: string,
  hint?: string,
  data?: Record<string, unknown>
): { readonly ok: false; readonly error: AppError } => ({
  ok: false,
  error: { code, message, ...(hint !== undefined && { hint }), ...(data !== undefined && { data }) }
})

/** The message of anything thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** Makes the compiler prove that every case of a union was handled. */
export const unreachable = (value: never): never => {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}
