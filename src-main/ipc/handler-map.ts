import type { RouteName, RouteOutput, RouteParsed } from '../../src-preload/contract'
import type { Result } from '../base/result'

type Handler<R extends RouteName> = (input: RouteParsed<R>) => Promise<Result<RouteOutput<R>>>

/** One handler for every route of the contract; the compiler names the one that is missing. */
export type HandlerMap = { readonly [R in RouteName]: Handler<R> }

/** The handlers whose routes begin with one of the given words: `Group<'host' | 'key'>`. */
export type Group<Prefix extends string> = Pick<HandlerMap, Extract<RouteName, `${Prefix}.${string}`>>
