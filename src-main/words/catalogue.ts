import type { ActionPlaceView, SignalKind } from '../../src-preload/contract'
import type { Facts } from './facts'

/** An action with its place and params: what its sentences are made of. */
export interface Acting {
  /** As "typetype (105) auf strong" or "strong". */
  readonly where: string
  readonly kind: 'host' | 'lxc' | 'vm'
  readonly place: ActionPlaceView
  readonly params: Facts
  readonly found: Facts
}

/** What an action does in a line is said by the window itself: it knows all of them. */
export interface ActionWords {
  readonly title: string
  sentence(acting: Acting): string
  undo(acting: Acting): string
  /** What a param is for, by its name; of a field of rows as `mounts.path`. */
  readonly params: Readonly<Record<string, string>>
}

export interface ErrorWords {
  readonly message: string
  readonly hint?: string
}

/** What the core says, in one language. What is missing in it is said as the core does, in English. */
export interface Catalogue {
  where(place: ActionPlaceView): string
  readonly actions: Readonly<Record<string, ActionWords>>
  readonly errors: Readonly<Record<string, (facts: Facts) => ErrorWords>>
  readonly signals: Readonly<
    Partial<Record<SignalKind, (facts: Facts) => { title: string; detail: string } | null>>
  >
  /** Proofs, rules and reasons, by their id. */
  readonly sayings: Readonly<Record<string, (facts: Facts) => string>>
  /** What a tool does while it runs, and the object alone; `object` is what the core names. */
  readonly tools: Readonly<
    Record<string, (args: Facts, object: string) => { sentence: string; object: string }>
  >
  /** Steps of the tests of hosts and models, by step and whether it went well. */
  readonly steps: Readonly<Record<string, string>>
}

/** English: as the core says it. */
export const english: Catalogue = {
  where: () => '',
  actions: {},
  errors: {},
  signals: {},
  sayings: {},
  tools: {},
  steps: {}
}
