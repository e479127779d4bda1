import type { z } from 'zod'

/** Where Proxmox's API keeps a guest. */
export const guestPath = (node: string, kind: 'lxc' | 'vm', vmid: number): string =>
  `${nodePath(node)}/${kind === 'lxc' ? 'lxc' : 'qemu'}/${vmid}`

export const nodePath = (node: string): string => `/nodes/${encodeURIComponent(node.toWellFormed())}`

export const storagePath = (node: string, storage: string): string =>
  `${nodePath(node)}/storage/${encodeURIComponent(storage.toWellFormed())}`

/** The entries of an answer that can be read; others are left out. */
export const rows = <T extends z.ZodType>(schema: T, answer: unknown): z.output<T>[] =>
  (Array.isArray(answer) ? (answer as unknown[]) : []).flatMap((entry) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
