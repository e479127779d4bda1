import { z } from 'zod'

/** What tools return, as far as more than one returns it. Bytes, seconds; `cpu` is a fraction of `cpus`. */
export const guestSchema = z.object({
  vmid: z.number(),
  name: z.string(),
  node: z.string(),
  host: z.string().nullable(),
  cluster: z.string(),
  status: z.enum(['running', 'stopped', 'unknown']),
  cpu: z.number(),
  cpus: z.number(),
  memory: z.number(),
  maxMemory: z.number(),
  disk: z.number(),
  maxDisk: z.number(),
  uptime: z.number(),
  tags: z.array(z.string()),
  lock: z.string().nullable(),
  template: z.boolean()
})

export const storageSchema = z.object({
  name: z.string(),
  node: z.string(),
  host: z.string().nullable(),
  type: z.string(),
  content: z.array(z.string()),
  active: z.boolean(),
  shared: z.boolean(),
  used: z.number(),
  total: z.number(),
  free: z.number()
})

export const hostSchema = z.object({
  name: z.string(),
  address: z.string(),
  connection: z.string(),
  node: z.string().nullable(),
  version: z.string().nullable(),
  cpu: z.number().nullable(),
  cpus: z.number().nullable(),
  memory: z.number().nullable(),
  maxMemory: z.number().nullable(),
  uptime: z.number().nullable(),
  error: z.string().nullable(),
  seenAt: z.number().nullable()
})

/** Hosts that could not be asked: what is told of them and their guests is old. */
export const blindSchema = z.array(z.object({ host: z.string(), code: z.string(), message: z.string() }))

export const executionSchema = z.object({
  execution_id: z.string(),
  state: z.string(),
  action: z.string(),
  target: z.string(),
  host: z.string(),
  title: z.string(),
  risk: z.string(),
  waits_for: z.object({ execution_id: z.string(), title: z.string(), because: z.string() }).nullable(),
  retry_of: z.string().nullable(),
  step: z.string().nullable(),
  percent: z.number().nullable(),
  exit_code: z.number().nullable(),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }).nullable(),
  verification: z.object({ ok: z.boolean(), summary: z.string() }).nullable(),
  requested_at: z.number(),
  ended_at: z.number().nullable()
})

/** A short name, as the operator would type it. */
export const targetInput = (what: string) => z.string().min(1).max(200).describe(what)

export const nodeInput = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('Only this node, by node name or by configured host name; all nodes when left out.')
