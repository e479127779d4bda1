import type { AppError } from '../../src-preload/contract'
import { messageOf } from '../base/result'
import type { Notice } from './messages'

const notice = (code: string, message: string, hint: string, offers: Notice['offers']): Notice => ({
  error: { code, message, hint },
  offers
})

/** What the operator reads when a turn ends in any other way than with the model's own words. */
export const notices = {
  failed: (error: AppError, hasContent: boolean): Notice => ({
    error,
    offers:
      error.code === 'model_unknown'
        ? ['usual_model', 'settings']
        : settingsHelp.has(error.code)
          ? ['settings', 'retry']
          : hasContent
            ? ['continue']
            : ['retry']
  }),
  empty: (offer: 'retry' | 'continue'): Notice =>
    notice(
      'model_empty',
      'The model answered with nothing, twice. What was done before stands; nothing was lost.',
      offer === 'continue'
        ? 'Let it go on from here, or write what it should do.'
        : 'Try again, or choose another model in the settings.',
      [offer]
    ),
  cut: (offer: 'retry' | 'continue'): Notice =>
    notice(
      'answer_cut',
      'The connection to the model broke before the answer was complete. No call from the broken answer was run.',
      'Let it go on from here.',
      [offer]
    ),
  tooLong: (): Notice =>
    notice(
      'answer_too_long',
      'The answer met the model’s output limit and is not complete. No incomplete call was run.',
      'Let it go on from here, or ask for less at once.',
      ['continue']
    ),
  refused: (): Notice =>
    notice(
      'model_refused',
      'The model or its service refused to answer this.',
      'Say it in other words, or choose another model in the settings.',
      ['retry']
    ),
  stopped: (): Notice =>
    notice(
      'turn_stopped',
      'You stopped this answer. Executions that run go on; each has its own Cancel.',
      'Let it go on, or write what it should do instead.',
      ['continue']
    ),
  timeLimit: (minutes: number): Notice =>
    notice(
      'turn_time_limit',
      `The turn took longer than ${minutes} minutes and was ended.`,
      'Let it go on from here.',
      ['continue']
    ),
  callLimit: (calls: number): Notice =>
    notice(
      'turn_call_limit',
      `The turn met its limit of ${calls} calls and was ended.`,
      'Let it go on from here.',
      ['continue']
    ),
  resumed: (): Notice =>
    notice(
      'turn_resumed',
      'Nomos was closed in the middle of this answer; it went on from here.',
      'Nothing needs to be done.',
      []
    ),
  resumeFailed: (): Notice =>
    notice(
      'turn_resume_failed',
      'Nomos ended several times while it worked on this answer, so it was not started again by itself.',
      'Let it go on, or start a new conversation.',
      ['continue']
    ),
  /** In the place of a notice whose record cannot be read. */
  unreadable: (): Notice =>
    notice(
      'record_damaged',
      'What Nomos said here cannot be read any more: its record is damaged.',
      'Everything else in this conversation stands.',
      []
    ),
  damaged: (what: string): Notice =>
    notice(
      'record_damaged',
      `Nomos was closed in the middle of this answer and did not go on with it by itself, because its record is damaged: ${what}.`,
      'Check what was done, then let it go on. Other conversations are not touched by this.',
      ['continue']
    ),
  internal: (thrown: unknown): Notice =>
    isStorage(thrown)
      ? notice(
          'storage_failed',
          `Nomos could not write to its database: ${messageOf(thrown)}.`,
          'Make room on the disk, then let it go on.',
          ['continue']
        )
      : notice(
          'internal_error',
          `Something in Nomos itself went wrong: ${messageOf(thrown)}`,
          'Try again; the log has the details.',
          ['retry']
        )
}

const settingsHelp = new Set([
  'model_not_configured',
  'model_unknown',
  'secret_missing',
  'keychain_unavailable',
  'model_key_invalid',
  'model_key_rejected',
  'model_url_insecure',
  'model_not_found',
  'model_no_credit',
  'context_window_too_small'
])

/** SQLite says that the disk is full, fails or takes no writes. */
const isStorage = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^SQLITE_(FULL|IOERR|READONLY)/.test(String(thrown.code))
