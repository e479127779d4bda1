import type { AppError } from '../base/result'
import { errorText } from './format'
import type { ToolOutcome } from './tool'

/** A result that is text for the model beside the same as data. */
export const told = (
  text: string,
  structured: Readonly<Record<string, unknown>>,
  more: Omit<ToolOutcome, 'text' | 'structured'> = {}
): ToolOutcome => ({ text, structured, ...more })

/** A failure that the model can read and act on. */
export const refused = (error: AppError): ToolOutcome => ({ text: errorText(error), isError: true })
