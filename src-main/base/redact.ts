/** Values the program itself holds as secrets; they are cut out wherever they turn up. */
const known = new Set<string>()

/** Remembers a secret value for as long as the program runs, so that `redact` removes it. */
export function rememberSecret(value: string): void {
  for (const line of [value, value.trim()]) if (line.length >= 6) known.add(line)
}

const patterns: readonly [RegExp, string][] = [
  [
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    '[private key removed]'
  ],
  [/\bPVE(?:Auth)?Cookie=[^\s;"']+/g, 'PVEAuthCookie=[removed]'],
  [/\bPVE:[\w.@-]+:[0-9A-F]{8}::[A-Za-z0-9+/=]+/g, '[Proxmox ticket removed]'],
  [/\bPVEAPIToken=[^\s"']+/g, 'PVEAPIToken=[removed]'],
  [/\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/g, '[age key removed]'],
  [/\b(?:sk|ghp|gho|glpat|xox[abp])[-_][A-Za-z0-9_-]{16,}/g, '[token removed]'],
  [/^([a-z_][a-z0-9_-]*):\$[0-9a-z]+\$[^:\s]+:/gm, '$1:[password hash removed]:'],
  [/\b(Authorization:\s*(?:Bearer|Basic)\s+)\S+/gi, '$1[removed]'],
  [
    /\b([A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY)[A-Z0-9_]*\s*[=:]\s*)(["']?)[^\s"',;]{4,}\2/gi,
    '$1[removed]'
  ]
]

/** Removes what looks like a secret, and every secret the program itself knows. */
export function redact(text: string): string {
  let out = text
  for (const value of known) out = out.split(value).join('[secret removed]')
  for (const [pattern, replacement] of patterns) out = out.replace(pattern, replacement)
  return out
}
