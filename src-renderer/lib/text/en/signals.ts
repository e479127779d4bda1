export const signals = {
  title: 'Needs attention',
  well: 'Nothing on the fleet needs attention.',
  fresh: (n: number) => (n === 1 ? '1 thing needs attention' : `${n} things need attention`),
  over: 'over',
  calm: (n: number) => (n === 1 ? '1 thing can wait or was seen' : `${n} things can wait or were seen`),
  level: { critical: 'down', warning: 'soon', info: 'can wait' },
  new: 'just now',
  since: (time: string) => `for ${time}`,
  times: (n: number) => `${n} times`,
  acknowledge: 'Seen: stop asking for attention',
  unacknowledge: 'Not seen yet: ask for attention again',
  ask: 'Ask Nomos about it',
  question: (title: string) => `${title}. Find out why and say what to do.`,
  mend: 'Mend it',
  act: {
    pct_start: 'Start',
    vm_start: 'Start',
    systemctl: 'Restart',
    apt_upgrade: 'Install updates'
  } as Readonly<Record<string, string>>
}
