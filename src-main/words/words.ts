import type {
  ActionPlaceView,
  ActionView,
  Activity,
  AppError,
  ApprovalView,
  ExecutionView,
  PlanStepView,
  PlanView,
  Saying,
  SignalView,
  ToolCallView
} from '../../src-preload/contract'
import type { Acting, Catalogue } from './catalogue'
import { Facts } from './facts'

/** What an execution and a step of a plan have in common. */
type Acts = Pick<ExecutionView & PlanStepView, 'action' | 'target' | 'params' | 'risk'> & ActionPlaceView

/**
 * Says what the core says in the language of a catalogue, from codes, ids and facts, never from its English words.
 * Whatever the catalogue does not know stays as the core says it. Commands, what hosts print and what the model
 * writes are nobody's translation and stay as they are; so do ids and hashes, which decisions are bound to.
 */
export class Words {
  constructor(private readonly catalogue: Catalogue) {}

  action(action: ActionView): ActionView {
    const words = this.catalogue.actions[action.name]
    if (!words) return action
    return {
      ...action,
      title: words.title,
      params: describedIn(action.params, words.params, '')
    }
  }

  execution(execution: ExecutionView): ExecutionView {
    const verification = execution.verification && this.verification(execution.verification)
    return {
      ...execution,
      ...this.titled(execution),
      verification,
      // That the state is not the wished one is said with what was read back.
      error: execution.error && this.error(execution.error, { proof: verification?.said })
    }
  }

  plan(plan: PlanView): PlanView {
    return { ...plan, steps: plan.steps.map((step) => ({ ...step, ...this.titled(step) })) }
  }

  approval(approval: ApprovalView): ApprovalView {
    const said = approval.ruleSaid.map((saying) => this.say(saying))
    const isKnown = said.length > 0 && said.every((sentence) => sentence !== null)
    return isKnown ? { ...approval, rule: said.join(' ') } : approval
  }

  signal(signal: SignalView): SignalView {
    const facts = this.facts({ ...(signal.host !== null && { host: signal.host }), ...signal.facts })
    const said = this.catalogue.signals[signal.kind]?.(facts) ?? null
    return { ...signal, ...said }
  }

  /** A call of a tool, or what is told of it while it runs. */
  call<C extends ToolCallView>(call: C): C {
    return { ...call, ...this.tool(call) }
  }

  activity(activity: Activity): Activity {
    const said = activity.call && this.tool(activity.call)
    return said ? { ...activity, text: said.sentence } : activity
  }

  /** `further`: facts that stand beside the error. */
  error(error: AppError, further: Readonly<Record<string, unknown>> = {}): AppError {
    const said = this.catalogue.errors[error.code]?.(this.facts({ ...further, ...error.data }))
    if (!said) return error
    const { hint: _, ...rest } = error
    return { ...rest, ...said }
  }

  /** One step of a test of a host or a model, by its name. */
  step(name: string, isOk: boolean, otherwise: string): string {
    return this.catalogue.steps[`${name}.${isOk ? 'ok' : 'failed'}`] ?? otherwise
  }

  private say({ id, facts }: Saying): string | null {
    return this.catalogue.sayings[id]?.(this.facts(facts)) ?? null
  }

  private verification(verification: NonNullable<ExecutionView['verification']>) {
    const summary = verification.said && this.say(verification.said)
    return { ...verification, summary: summary ?? verification.summary }
  }

  private titled(acts: Acts): { title?: string; undo?: string } {
    const words = this.catalogue.actions[acts.action]
    if (!words) return {}
    const acting = this.acting(acts)
    return { title: words.sentence(acting), undo: words.undo(acting) }
  }

  private acting(acts: Acts): Acting {
    const kind = acts.target.startsWith('lxc:') ? 'lxc' : acts.target.startsWith('vm:') ? 'vm' : 'host'
    return {
      kind,
      place: acts,
      where: this.catalogue.where(acts),
      params: new Facts(acts.params),
      found: new Facts({ ...acts.found, readsOnly: acts.risk === 'read_only' })
    }
  }

  private tool({ name, object, facts }: Pick<ToolCallView, 'name' | 'object' | 'facts'>) {
    return this.catalogue.tools[name]?.(this.facts(facts), object) ?? null
  }

  private facts(values: Readonly<Record<string, unknown>>): Facts {
    return new Facts(values, { say: (saying) => this.say(saying), error: (error) => this.error(error) })
  }
}

type Schema = Readonly<Record<string, unknown>>
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The JSON schema with what each field is for in other words. */
function describedIn(schema: Schema, words: Readonly<Record<string, string>>, under: string): Schema {
  if (!isSchema(schema['properties'])) return schema
  const properties = Object.entries(schema['properties']).map(([name, property]) => {
    if (!isSchema(property)) return [name, property]
    const items = isSchema(property['items']) && describedIn(property['items'], words, `${name}.`)
    // A field whose name says it all has no description in the core either.
    const description = property['description'] === undefined ? undefined : words[`${under}${name}`]
    return [name, { ...property, ...(items && { items }), ...(description !== undefined && { description }) }]
  })
  return { ...schema, properties: Object.fromEntries(properties) as Schema }
}
