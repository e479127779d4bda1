import { type z } from 'zod'
import type { ActionRequest, CommandLine, RiskClass } from '../../src-preload/contract'
import { quoteArgv } from '../base/quote'
import { fail, ok, type Result } from '../base/result'
import { parseTarget } from '../fleet/target-name'
import type { TargetName } from '../fleet/port'
import type { Action, ActionWorld, PlannedGuest, PreparedAction } from './actions/action'
import { findAction } from './actions/registry'
import { userOf, type Context } from './context'
import { shownParams } from './execution-row'
import { subjectHash } from './hash'

/** An action with everything decided: what is shown, hashed and run. */
export interface Card {
  readonly action: Action
  readonly prepared: PreparedAction<unknown, unknown>
  readonly target: string
  readonly title: string
  readonly risk: RiskClass
  readonly commands: readonly CommandLine[]
  readonly undo: string
  readonly hash: string
}

/** A request whose action, target and params are well formed; nothing was asked yet. */
export interface ParsedRequest {
  readonly action: Action
  readonly target: string
  readonly targetName: TargetName
  readonly params: unknown
}

const kindWords = {
  host: 'a host (host:NAME)',
  lxc: 'a container (lxc:NAME)',
  vm: 'a virtual machine (vm:NAME)'
}

/** Checks the shape of a request. Errors: `action_unknown`, `target_invalid`, `params_invalid`. */
export function parseRequest(request: ActionRequest): Result<ParsedRequest> {
  const action = findAction(request.action)
  if (!action.ok) return action
  const target = request.target.trim()
  const name = parseTarget(target)
  if (!name.ok) return withKind(action.value, target, name)
  if (!action.value.targets.includes(name.value.kind))
    return fail(
      'target_invalid',
      `${request.action} does not act on ${kindWords[name.value.kind]}.`,
      `It acts on ${action.value.targets.map((kind) => kindWords[kind]).join(' or ')}.`,
      { target }
    )
  const params = action.value.params.safeParse(request.params)
  if (!params.success) return paramsInvalid(action.value, params.error)
  return ok({ action: action.value, target, targetName: name.value, params: params.data })
}

/** A name alone is all that a target lacks where the action has one kind of target. */
function withKind(action: Action, target: string, invalid: Result<never>): Result<never> {
  const [kind] = action.targets
  const written = `${kind}:${target}`
  if (invalid.ok || action.targets.length !== 1 || !parseTarget(written).ok) return invalid
  return fail(invalid.error.code, invalid.error.message, `Did you mean ${written}?`)
}

function paramsInvalid(action: Action, error: z.ZodError): Result<never> {
  const issues = error.issues.map((issue) => {
    const field = issue.path.map(String).join('.')
    return { field, message: issue.message }
  })
  const told = issues
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .join('; ')
  return fail('params_invalid', `${action.name}: ${told}.`, 'Correct the params and request it again.', {
    action: action.name,
    issues
  })
}

/** Reads and decides everything that is needed to show the action. Changes nothing. */
export async function prepare(
  context: Context,
  world: ActionWorld,
  request: ParsedRequest
): Promise<Result<Card>> {
  const { action, targetName, params, target } = request
  const prepared = await action.preflight(world, targetName, params)
  if (!prepared.ok) return prepared
  return cardOf(context, action, target, prepared.value)
}

/** The card of a prepared action; the same action prepared the same way gives the same hash. */
function cardOf(
  context: Context,
  action: Action,
  target: string,
  prepared: PreparedAction<unknown, unknown>
): Result<Card> {
  const commands = action.commands(prepared).map((command) => ({ ...command, text: quoteArgv(command.argv) }))
  const odd = commands.find(({ argv }) => argv.some(hasControlCharacters))
  if (odd)
    return fail(
      'params_invalid',
      `The command of step ${odd.step} would contain a control character.`,
      'Leave out control characters other than newline and tab: what is shown has to be what runs.',
      { case: 'control_character' }
    )
  const risk = action.risk(prepared)
  const { place } = prepared
  const hash = subjectHash({
    host: place.host,
    hostKey: context.ssh.trustedKey(place.host),
    user: userOf(context, place.host),
    action: action.name,
    target,
    vmid: place.vmid,
    guestName: place.guestName,
    params: prepared.params,
    commands: commands.map(({ argv }) => argv),
    risk,
    timeLimit: action.timeLimit
  })
  return ok({
    action,
    prepared,
    target,
    title: action.sentence(prepared),
    risk,
    commands,
    undo: action.undo(prepared),
    hash
  })
}

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Anything but newline and tab that a terminal would act on, or that would hide what runs. */
const hasControlCharacters = (text: string): boolean => control.test(text)

/** Looks of a verification that expects its state; slow services take some seconds. */
const patientLooks = 8

/** The world as actions see it. */
export function worldOf(
  context: Context,
  { planned = [], looks = patientLooks }: { planned?: readonly PlannedGuest[]; looks?: number } = {}
): ActionWorld {
  return {
    looks,
    fleet: context.fleet,
    ssh: context.ssh,
    planned,
    reserved: (cluster) => reservedVmids(context, cluster)
  }
}

/** VMIDs that open executions and plans are about to create on a cluster. */
function reservedVmids(context: Context, cluster: string): ReadonlySet<number> {
  const open = context.executions
    .inStates(['awaiting_approval', 'approved', 'starting', 'running', 'unknown'])
    .filter((row) => row.cluster === cluster)
  // A plan's steps have no cluster of their own: a VMID is rather skipped than given twice.
  const used = [...open, ...context.plans.unusedSteps()].flatMap((row) => {
    const params = shownParams(row.params)
    return [params['vmid'], params['newVmid']].filter((value) => typeof value === 'number')
  })
  return new Set(used)
}
