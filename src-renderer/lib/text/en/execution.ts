export const execution = {
  output: 'Output',
  noOutput: 'No output yet.',
  noOutputEver: 'It wrote no output.',
  earlier: (n: number) => `${n} earlier lines`,
  loadEarlier: 'Show from the beginning',
  cancel: 'Cancel execution',
  cancelAsk: 'Cancel now',
  rerun: 'Run again',
  show: 'Show execution',
  inChat: 'Show in chat',
  verified: 'Verified',
  notVerified: 'Not verified',
  exit: (code: number) => `exit ${code}`,
  commands: 'Commands',
  unknownBody: 'The host cannot be asked at the moment. It is watched on; nothing is run again.',
  waits: 'Waits for your decision',
  queued: 'waits its turn',
  waitsFor: {
    target: (title: string) => `Waits until this is over: ${title}`,
    cluster: (title: string) => `Guests are made one at a time. Waits for: ${title}`
  },
  retryOf: 'Requested by itself: the VMID of the first try was taken meanwhile.'
}
