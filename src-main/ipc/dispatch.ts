import { routes, type Reply, type RouteName } from '../../src-preload/contract'
import type { Logger } from '../base/log'
import { fail, messageOf, type AppError, type Result } from '../base/result'
import type { HandlerMap } from './handler-map'

/** Answers a request of a window; never throws. */
export type Dispatch = (route: unknown, input: unknown) => Promise<Reply<unknown>>

const isRoute = (route: unknown): route is RouteName =>
  typeof route === 'string' && Object.hasOwn(routes, route)

/**
 * Lets a request through to its handler once the route exists and the input fits its schema.
 * Errors of its own: `route_unknown`, `input_invalid` (data: which fields), `internal_error`.
 */
export function createDispatch(handlers: HandlerMap, log: Logger): Dispatch {
  return async (route, input) => {
    if (!isRoute(route)) return fail('route_unknown', 'This is nothing the app can do.')
    try {
      const parsed = routes[route].input.safeParse(input)
      if (!parsed.success) return invalid(parsed.error.issues)
      // The map ties each route to the type its own schema gives, which the union of all routes cannot express.
      const handler = handlers[route] as (input: unknown) => Promise<Result<unknown>>
      return toReply(await handler(parsed.data))
    } catch (error) {
      log.log('error', 'ipc', 'a request failed', { route, error: messageOf(error), stack: stackOf(error) })
      return fail(
        'internal_error',
        'Something in Nomos itself went wrong.',
        'The log tells what: Help, Show logs.'
      )
    }
  }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function invalid(issues: readonly Issue[]): Reply<never> {
  const fields = issues
    .slice(0, 20)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  const [first] = fields
  const what = first
    ? `${first.path === '' ? '' : `${first.path}: `}${first.message}`
    : 'The request is not valid'
  return fail('input_invalid', `${what}. Nothing was changed.`, undefined, { fields })
}

const toReply = (result: Result<unknown>): Reply<unknown> =>
  result.ok ? { ok: true, data: result.value } : { ok: false, error: plain(result.error) }

/** Only what can cross the border between the processes. */
const plain = (error: AppError): AppError => JSON.parse(JSON.stringify(error)) as AppError

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : undefined)
