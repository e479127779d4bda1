import type { ApprovalRoute, NomosEvent } from '../../src-preload/contract'

/** What the driver asks of the program under test. */
export type Order =
  | { readonly do: 'say'; readonly text: string; readonly newSession: boolean }
  | {
      readonly do: 'decide'
      readonly id: string
      readonly hash: string
      readonly decision: 'approve' | 'deny'
      readonly route: ApprovalRoute
      readonly confirmName: string | null
    }
  | { readonly do: 'cancel' }
  | { readonly do: 'report' }
  | { readonly do: 'wake' }
  | { readonly do: 'quit' }

/** What is still under way in the program. */
export interface Report {
  readonly executions: number
  readonly waiting: number
  readonly continuations: number
  readonly turns: number
}

/** What the program under test tells the driver. */
export type News =
  | { readonly is: 'ready' }
  | { readonly is: 'event'; readonly event: NomosEvent }
  | { readonly is: 'decided'; readonly id: string; readonly code: string }
  | { readonly is: 'report'; readonly report: Report }
