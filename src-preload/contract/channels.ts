/** The two channels between the processes. */
export const channels = { request: 'nomos:request', event: 'nomos:event' } as const
