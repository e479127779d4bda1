import type { ApprovalRoute } from '@contract'
import { count } from '../count'

export const plan = {
  label: 'Plan',
  run: (n: number) => (n === 1 ? 'Run this step' : `Run all ${n} steps`),
  destructive: 'Asks again before it runs',
  progress: (done: number, total: number) => `${done} of ${total} done`,
  undo: 'Undo',
  missing: 'This plan is being loaded.'
}

const route: Record<ApprovalRoute | 'window' | 'policy' | 'plan', string> = {
  chat: 'by you in the chat',
  chat_assent: 'by your message',
  ops: 'by you in Ops',
  fleet: 'by you on the Fleet page',
  notification: 'by you from a notification',
  dialog: 'by you in the dialog',
  tray: 'by you from the tray',
  matrix: 'by you over Matrix',
  window: 'by the assent window',
  policy: 'by a policy',
  plan: 'with its plan'
}

export const approval = {
  label: 'Approval',
  why: 'Why, in the agent’s words',
  whyAsked: 'Why',
  undo: 'What undoes it',
  touches: 'Touches',
  rule: 'Asked by rule',
  host: 'Host',
  deny: 'Deny',
  reason: 'Reason for denying',
  moreWays: 'More ways to approve',
  allow30: 'Allow exactly this for 30 minutes',
  confirm: (name: string) => `Type ${name} to confirm`,
  scroll: 'Scroll to the end of the commands to approve',
  expiresIn: (time: string) => `Expires in ${time}`,
  commands: 'Commands, exactly as they run',
  noCommands: 'No command is run.',
  decided: {
    awaiting_approval: 'waiting',
    approved: 'approved',
    denied: 'denied',
    expired: 'expired, nothing was run'
  },
  route,
  reasonGiven: (reason: string) => `“${reason}”`,
  hidden: 'A character that cannot be seen',
  foreign: 'A character outside ASCII that may look like another',
  loading: 'Loading what is to be decided',
  /** What the primary button says, by action. */
  verb: {
    pct_create: 'Create container',
    pct_start: 'Start container',
    pct_shutdown: 'Shut down container',
    pct_stop: 'Stop container',
    pct_reboot: 'Reboot container',
    pct_set: 'Change container',
    pct_resize: 'Resize disk',
    pct_snapshot: 'Take snapshot',
    pct_rollback: 'Roll back',
    pct_delsnapshot: 'Delete snapshot',
    pct_clone: 'Clone container',
    pct_destroy: 'Destroy container',
    pct_push: 'Push file',
    pct_pull: 'Pull file',
    pct_exec: 'Run in container',
    template_download: 'Download template',
    vm_start: 'Start VM',
    vm_shutdown: 'Shut down VM',
    vm_stop: 'Stop VM',
    vm_reboot: 'Reboot VM',
    vm_snapshot: 'Take snapshot',
    vm_rollback: 'Roll back',
    vm_delsnapshot: 'Delete snapshot',
    apt_upgrade: 'Upgrade packages',
    systemctl: 'Run systemctl',
    restart: 'Restart',
    run: 'Run command'
  } as Readonly<Record<string, string>>,
  /** The same for what is done to a service. */
  unitVerb: {
    start: 'Start service',
    stop: 'Stop service',
    restart: 'Restart service',
    reload: 'Reload service',
    enable: 'Enable service',
    disable: 'Disable service'
  } as Readonly<Record<string, string>>,
  verbElse: 'Approve'
}

export const assent = {
  label: 'Assent window',
  body: 'Results continue by themselves, and requests within scope run without asking.',
  short: 'Goes on by itself',
  end: 'End',
  continuations: (n: number) => count(n, 'continuation', 'continuations')
}
