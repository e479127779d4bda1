/**
 * Calls that ask for one thing at a time, and the call that returns all of it at once. The result of a turn's third
 * call of a kind names the bulk call, and the review of a session counts what was asked one by one.
 */
export const bulkCalls: Readonly<Record<string, string>> = {
  get_entity: 'get_state_snapshot',
  get_host_state: 'list_hosts',
  get_lxc_state: 'list_lxcs',
  get_vm_state: 'list_vms',
  list_updates: 'list_updates without a target'
}
