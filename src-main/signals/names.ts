import type { GuestView } from '../../src-preload/contract'

/** Identity of a guest: cluster and VMID, never its name. */
export const guestSubject = (guest: GuestView): string => `${guest.cluster}/${guest.vmid}`
export const hostSubject = (host: string): string => `host/${host}`

export const guestTarget = (guest: GuestView): string => `${guest.kind}:${guest.vmid}@${guest.node}`

/** "caddy (101)". */
export const guestWords = (guest: GuestView): string => `${guest.name} (${guest.vmid})`

export const covering = (kind: string, subject: string): string => `${kind} ${subject}`
