import type { RouteName } from './contract'

/**
 * The routes of the contract without their schemas, which only the main process needs: the script in front of the page
 * stays small. The compiler refuses a list with a name too many or too few.
 */
const names: Readonly<Record<RouteName, true>> = {
  'app.bootstrap': true,
  'app.open_external': true,
  'app.copy': true,
  'app.show_logs': true,
  'session.create': true,
  'session.open': true,
  'session.list': true,
  'session.rename': true,
  'session.delete': true,
  'session.fork': true,
  'session.export': true,
  'session.search': true,
  'session.continue': true,
  'message.send': true,
  'message.edit_queued': true,
  'message.remove_queued': true,
  'turn.stop': true,
  'turn.retry': true,
  'tool_call.get': true,
  'approval.decide': true,
  'assent.end': true,
  'action.list': true,
  'execution.request': true,
  'execution.list': true,
  'execution.get': true,
  'execution.output': true,
  'execution.cancel': true,
  'execution.rerun': true,
  'audit.list': true,
  'audit.verify': true,
  'audit.export': true,
  'fleet.get': true,
  'fleet.refresh': true,
  'host.test': true,
  'host.add': true,
  'host.remove': true,
  'host.trust_key': true,
  'key.generate': true,
  'key.import': true,
  'settings.get': true,
  'settings.update': true,
  'secret.set': true,
  'secret.delete': true,
  'model.check': true,
  'lab.start': true,
  'lab.stop': true,
  'knowledge.search': true,
  'knowledge.list': true,
  'knowledge.get': true,
  'knowledge.save_note': true,
  'knowledge.delete_note': true,
  'skill.list': true
}

export const isRouteName = (name: unknown): name is RouteName =>
  typeof name === 'string' && Object.hasOwn(names, name)
