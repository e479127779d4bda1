import { z } from 'zod'
import { configSchema, type ShortcutName } from '../../src-preload/contract'

const shortcuts: Readonly<Record<ShortcutName, string>> = {
  palette: 'Open the commands.',
  newSession: 'Begin a new session.',
  stop: 'Stop the turn.',
  sessions: 'Show or hide the list of sessions.',
  inspector: 'Show or hide the inspector.',
  preferences: 'Open the settings.',
  chat: 'Go to Chat.',
  ops: 'Go to Ops.',
  fleet: 'Go to Fleet.',
  knowledge: 'Go to Knowledge.',
  settings: 'Go to Settings.'
}
const shortcutDescriptions = Object.fromEntries(
  Object.entries(shortcuts).map(([name, description]) => [`shortcuts.${name}`, description])
)

/** What each field is for; `[]` stands for an element of a list, `{}` for an entry of a record. */
const descriptions: Readonly<Record<string, string>> = {
  model: 'The language model that the agent uses.',
  'model.provider': 'How the model is spoken to. Most servers, local ones too, are openai-compatible.',
  'model.baseURL': 'Address of the server, such as http://127.0.0.1:8000/v1. Left out: the provider’s own.',
  'model.model': 'Name of the model as the server knows it.',
  'model.apiKey': 'Where the key is kept: env:NAME or keychain:NAME. Never the key itself.',
  'model.contextWindow': 'How many tokens the model reads at once.',
  models: 'Further models that a session can choose by name instead of the default one.',
  'models[].name': 'What the choice in the chat calls it.',
  'models[].provider': 'As for model.',
  'models[].baseURL': 'As for model.',
  'models[].model': 'As for model.',
  'models[].apiKey': 'As for model.',
  'models[].contextWindow': 'As for model.',
  hosts: 'Machines reached over SSH, normally Proxmox VE nodes.',
  'hosts[].name': 'Name in targets such as host:strong. Its trusted host key is kept under this name.',
  'hosts[].address': 'Name or IP address.',
  'hosts[].port': 'SSH port.',
  'hosts[].user': 'User to log in as.',
  'hosts[].identity': 'How to log in: a key file, a key in the keychain, or the SSH agent.',
  'hosts[].identity.keyFile': 'Path of a private key; ~ is the home folder.',
  'hosts[].identity.keychain': 'Name of a private key in the keychain.',
  'hosts[].identity.passphrase': 'Where the passphrase of the key is kept: env:NAME or keychain:NAME.',
  'hosts[].identity.agent': 'Use the SSH agent of the desktop session (SSH_AUTH_SOCK).',
  'hosts[].hostKey':
    'The only host key to accept, as ssh-keygen -lf prints it. Left out: the first use asks.',
  'hosts[].jump': 'Name of the host to go through.',
  'hosts[].sudo': 'Run commands through sudo -n.',
  policies:
    'Rules about what is asked, allowed or denied; the first that fits counts. Destructive actions always ask.',
  'policies[].risk': 'Risk class the rule is about; left out: every class.',
  'policies[].host': 'Host the rule is about; * matches any run of characters.',
  'policies[].target': 'Target the rule is about, such as lxc:typetype or lxc:*.',
  'policies[].decision': 'What happens.',
  assentWindowMinutes: 'How long an approval lets the agent go on by itself.',
  approvalExpiryMinutes: 'After how long a request that nobody decided on expires.',
  webFetch: 'Reading web pages.',
  'webFetch.allowPrivate': 'Private addresses that may be read, as host:port.',
  mcpServers: 'External MCP servers. Their tools are off until they are allowed one by one.',
  'mcpServers{}.command': 'Program to start; it speaks MCP on stdio.',
  'mcpServers{}.args': 'Its arguments.',
  'mcpServers{}.env': 'Its environment.',
  'mcpServers{}.url': 'Address of a server that speaks MCP over HTTP.',
  'mcpServers{}.token': 'Where its bearer token is kept: env:NAME or keychain:NAME.',
  gateway: 'Serving the tools of Nomos to other MCP clients.',
  'gateway.http': 'MCP over HTTP on the loopback interface, with a bearer token.',
  'gateway.http.enabled': 'Whether it is served.',
  'gateway.http.port': 'Port; 0 picks a free one.',
  knowledge: 'The operator’s documents.',
  'knowledge.folders': 'Folders of Markdown files that are searched.',
  signals: 'Watching the fleet for conditions worth telling.',
  'signals.enabled': 'Whether it is watched.',
  'signals.intervalSeconds': 'Seconds between two looks.',
  notifications: 'Which notifications the desktop shows.',
  'notifications.approvals': 'An approval is needed.',
  'notifications.executions': 'An execution finished.',
  'notifications.failures': 'An execution failed, ran out of time, or was lost track of.',
  'notifications.needsYou': 'The agent stopped and waits for the operator to choose a way on.',
  'notifications.signals': 'Something was noticed on the fleet.',
  appearance: 'The window.',
  'appearance.theme': 'Light, dark, or as the system.',
  'appearance.language': 'Language of the window, or as the system.',
  'appearance.nativeApprovalDialog': 'Ask in a dialog of the system when the window is not in front.',
  'appearance.closeToTray': 'Closing the window keeps Nomos in the tray while something runs or waits.',
  'appearance.badge': 'How many decisions wait, on the app’s icon and in the window’s title.',
  startup: 'Starting with the desktop session.',
  'startup.atLogin': 'Whether Nomos starts by itself when you log in.',
  'startup.hidden': 'Whether it then starts in the tray, without its window.',
  shortcuts: 'The keys of the window: Mod (Ctrl, on macOS Command), Alt, Shift and a key. Empty for none.',
  ...shortcutDescriptions,
  lab: 'Start with the lab: a simulated cluster and a scripted model.'
}

interface SchemaNode {
  description?: string
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  additionalProperties?: SchemaNode | boolean
  anyOf?: SchemaNode[]
}

/** The JSON schema of `nomos.config.json`, every field described; what `resources/` ships is made from it. */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(configSchema, { io: 'input' }) as SchemaNode
  describe(schema, '')
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Nomos configuration',
    description: 'nomos.config.json. Every field is optional.',
    ...schema,
    properties: { $schema: { type: 'string', description: 'For editors.' }, ...schema.properties }
  }
}

function describe(node: SchemaNode, path: string): void {
  const description = descriptions[path]
  if (description !== undefined) node.description = description
  for (const [name, child] of Object.entries(node.properties ?? {}))
    describe(child, path === '' ? name : `${path}.${name}`)
  if (node.items) describe(node.items, `${path}[]`)
  if (typeof node.additionalProperties === 'object') describe(node.additionalProperties, `${path}{}`)
  for (const alternative of node.anyOf ?? []) describe(alternative, path)
}
