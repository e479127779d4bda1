import { z } from 'zod'
import { riskClasses } from './execution'
import { defaultShortcuts, shortcutFault, shortcutNames, type ShortcutName } from './shortcuts'

/** A secret is named, never written: from the environment or from the OS keychain. */
export const secretRefSchema = z
  .string()
  .regex(/^(env|keychain):[A-Za-z0-9_.@-]{1,128}$/, 'expected env:NAME or keychain:NAME')

const hostName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'letters, digits, dot, hyphen, underscore')

export const hostConfigSchema = z.strictObject({
  name: hostName,
  address: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[A-Za-z0-9.:_-]+$/, 'a name or an IP address'),
  port: z.number().int().min(1).max(65535).default(22),
  user: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z_][A-Za-z0-9_.-]*\$?$/)
    .default('root'),
  identity: z.union([
    z.strictObject({ keyFile: z.string().min(1), passphrase: secretRefSchema.optional() }),
    z.strictObject({ keychain: z.string().min(1), passphrase: secretRefSchema.optional() }),
    z.strictObject({ agent: z.literal(true) })
  ]),
  /** Pin of the host key; without it the first use asks. */
  hostKey: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'SHA256:… as ssh-keygen -lf prints it')
    .optional(),
  /** Name of the host to go through. */
  jump: hostName.optional(),
  /** Run commands through `sudo -n`. */
  sudo: z.boolean().default(false)
})
export type HostConfig = z.infer<typeof hostConfigSchema>

export const modelConfigSchema = z.strictObject({
  provider: z.enum(['openai-compatible', 'anthropic']),
  baseURL: z.url({ protocol: /^https?$/ }).optional(),
  model: z.string().min(1).max(200),
  apiKey: secretRefSchema.optional(),
  /** Tokens the model can read at once. */
  contextWindow: z.number().int().min(2000).max(10_000_000).default(128_000)
})
export type ModelConfig = z.infer<typeof modelConfigSchema>

const privateHost =
  /^(localhost|127\.[\d.]+|\[::1\]|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[f[cd][0-9a-f:]+\]|[^.]+|.+\.(local|lan|home|internal))$/i

/** Whether a host is one of the own machine or network. */
export const isPrivateHost = (host: string): boolean => privateHost.test(host)

/** Whether what is sent to this address can be read by others on its way. */
export function goesUnencrypted(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isPrivateHost(hostname)
}

/** A further model that a session can choose by its name. */
export const namedModelSchema = modelConfigSchema.extend({ name: z.string().trim().min(1).max(64) })

export const policySchema = z.strictObject({
  risk: z.enum(riskClasses).optional(),
  host: z.string().min(1).max(64).optional(),
  /** `lxc:typetype`, `lxc:*`, `host:strong`; `*` matches any run of characters. */
  target: z.string().min(1).max(200).optional(),
  decision: z.enum(['ask', 'allow', 'deny'])
})
export type Policy = z.infer<typeof policySchema>

export const mcpServerSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({})
  }),
  z.strictObject({ url: z.url({ protocol: /^https?$/ }), token: secretRefSchema.optional() })
])
export type McpServerConfig = z.infer<typeof mcpServerSchema>

/** Its tools are called `name__tool`, so two underscores in a row separate nothing else. */
export const mcpServerName = z
  .string()
  .max(32)
  .regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/, 'small letters and digits, single hyphens or underscores between')

const keys = z
  .string()
  .refine((text) => text === '' || shortcutFault(text) === null, 'keys such as Mod+K, or empty for none')
const shortcutsShape = Object.fromEntries(
  shortcutNames.map((name) => [name, keys.default(defaultShortcuts[name])])
) as Record<ShortcutName, z.ZodDefault<typeof keys>>

const on = z.boolean().default(true)

/** The fields of `nomos.config.json`, each with its default. Every field is checked by itself. */
export const configFields = {
  model: modelConfigSchema.optional(),
  models: z.array(namedModelSchema).default([]),
  hosts: z.array(hostConfigSchema).default([]),
  policies: z.array(policySchema).default([]),
  assentWindowMinutes: z.number().min(1).max(240).default(30),
  approvalExpiryMinutes: z.number().min(1).max(1440).default(60),
  webFetch: z.strictObject({ allowPrivate: z.array(z.string()).default([]) }).default({ allowPrivate: [] }),
  mcpServers: z.record(mcpServerName, mcpServerSchema).default({}),
  gateway: z
    .strictObject({
      http: z.strictObject({ enabled: z.boolean(), port: z.number().int().min(0).max(65535) })
    })
    .default({ http: { enabled: false, port: 0 } }),
  knowledge: z.strictObject({ folders: z.array(z.string()) }).default({ folders: [] }),
  signals: z
    .strictObject({ enabled: z.boolean(), intervalSeconds: z.number().int().min(5).max(86_400) })
    .default({ enabled: true, intervalSeconds: 60 }),
  notifications: z
    .strictObject({ approvals: on, executions: on, failures: on, needsYou: on, signals: on })
    .default({ approvals: true, executions: true, failures: true, needsYou: true, signals: true }),
  appearance: z
    .strictObject({
      theme: z.enum(['system', 'light', 'dark']).default('system'),
      language: z.enum(['system', 'en', 'de']).default('system'),
      nativeApprovalDialog: z.boolean().default(false),
      closeToTray: on,
      badge: on
    })
    .default({
      theme: 'system',
      language: 'system',
      nativeApprovalDialog: false,
      closeToTray: true,
      badge: true
    }),
  startup: z
    .strictObject({ atLogin: z.boolean().default(false), hidden: on })
    .default({ atLogin: false, hidden: true }),
  shortcuts: z.strictObject(shortcutsShape).default(defaultShortcuts),
  lab: z.boolean().default(false)
} as const

export const configSchema = z.strictObject(configFields)
export type Config = z.infer<typeof configSchema>

type Fields = typeof configFields
type PatchShape = {
  [K in keyof Fields]: z.ZodOptional<
    z.ZodType<Exclude<Config[K], undefined>, Exclude<z.input<Fields[K]>, undefined>>
  >
}
const withoutDefault = (field: z.ZodType) => (field instanceof z.ZodDefault ? field.unwrap() : field)

/**
 * A change of some fields, each replaced as a whole. A field that is left out stays left out:
 * `configSchema.partial()` would fill in its default, and so reset what the operator has set.
 */
export const configPatchSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(configFields).map(([name, field]) => [
      name,
      z.optional(withoutDefault(field) as z.ZodType)
    ])
  ) as PatchShape
)

/** What a window may change: no command line that runs on this machine; those have their own way, `mcp.add`. */
export const settingsPatchSchema = configPatchSchema.omit({ mcpServers: true })
export type SettingsPatch = z.output<typeof settingsPatchSchema>

/** A field of the configuration file that was left out, and why. */
export interface ConfigProblem {
  /** Such as `hosts[0].port`. */
  readonly path: string
  readonly message: string
}
