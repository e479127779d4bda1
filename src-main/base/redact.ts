import { withoutFieldValues } from './secret-fields'

/** Values the program itself holds as secrets; they are cut out wherever they turn up. */
const known = new Set<string>()

/** Remembers a secret value for as long as the program runs, so that `redact` removes it. */
export function rememberSecret(value: string): void {
  // Also as it stands in JSON and in an address.
  for (const form of [
    value,
    value.trim(),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed())
  ])
    if (form.length >= 6) known.add(form)
}

const privateKey = '[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----'

const patterns: readonly [RegExp, string][] = [
  [new RegExp(`-----BEGIN ${privateKey}[\\s\\S]*?(-----END ${privateKey}|$)`, 'g'), '[private key removed]'],
  // PuTTY's form.
  [
    /\b(Private-Lines: \d+(?:\r?\n|\\r?\\n))(?:[A-Za-z0-9+/=]+(?:\r?\n|\\r?\\n|$))+/g,
    '$1[private key removed]\n'
  ],
  [/\bPVE(?:Auth)?Cookie=[^\s;"']+/g, 'PVEAuthCookie=[removed]'],
  [/\bPVE:[\w.@-]+:[0-9A-F]{8}::[A-Za-z0-9+/=]+/g, '[Proxmox ticket removed]'],
  [/\bPVEAPIToken=[^\s"']+/g, 'PVEAPIToken=[removed]'],
  // What `pveum user token add` answers: the token's secret, a UUID.
  [/\b(value\W{1,12})[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '$1[token removed]'],
  [/\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/g, '[age key removed]'],
  [
    /\b(?:sk|ghp|gho|ghs|ghu|github_pat|glpat|npm|hf|tskey|dop_v1|xox[abprs])[-_][A-Za-z0-9_-]{16,}/g,
    '[token removed]'
  ],
  [/\bAIza[\w-]{30,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '[token removed]'],
  // A JSON Web Token.
  [/\beyJ[\w-]{10,299}\.[\w-]{10,4999}\.[\w-]{10,999}/g, '[token removed]'],
  // crypt(3), as in shadow and in htpasswd files.
  [/\b([A-Za-z_][\w.@-]{0,63}):\$[0-9a-z]+\$[^:\s"']+/g, '$1:[password hash removed]'],
  [/\b((?:Proxy-)?Authorization\\*["']?\s{0,20}[:=]\s{0,20}\\*["']?)(?!\[)[^\r\n"'\\]+/gi, '$1[removed]'],
  [/\b((?:Set-)?Cookie\\*["']?\s{0,20}:\s{0,20}\\*["']?)(?!\[)[^\r\n"'\\]+/gi, '$1[removed]'],
  // In an address: a password, or a token in the name's place.
  [
    /\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/"'<>]{0,100}:)(?!\d{1,5}[/?#]|\[removed\])[^\s/"<>]{1,300}@/gi,
    '$1[removed]@'
  ],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[\w-]{20,300}@/gi, '$1[removed]@'],
  // WireGuard: 32 bytes in base64.
  [/\b((?:Private|Preshared)Key\s*=\s*)[A-Za-z0-9+/]{42,44}=*/gi, '$1[removed]'],
  // Short options: sshpass -p, mysql -p…, curl -u name:….
  [/\b(sshpass\s{1,4}-p\s{0,4})(?:'[^'\n]+'|"[^"\n]+"|[^\s"']+)/g, '$1[removed]'],
  [
    /\b((?:mysql|mariadb)(?:dump|admin)?\s[^\n|;]{0,200}?\s-p)(?=[^\s-])(?:'[^'\n]+'|"[^"\n]+"|[^\s"']+)/g,
    '$1[removed]'
  ],
  [/\b(curl\s[^\n|;]{0,300}?(?:-u|--user)[ =]{1,4}["']?[^\s:"']{1,100}:)[^\s"']+/g, '$1[removed]']
]

const keyEnd = new RegExp(`-----END ${privateKey}`, 'g')

/** Removes the end of a key whose beginning was cut off. */
function withoutKeyEnds(text: string): string {
  let out = ''
  let from = 0
  for (const { index, 0: end } of text.matchAll(keyEnd)) {
    let start = index
    while (start > from && /[A-Za-z0-9+/=\s\\]/.test(text[start - 1] ?? '')) start--
    out += text.slice(from, start) + '\n[private key removed]'
    from = index + end.length
  }
  return out + text.slice(from)
}

/** Removes what looks like a secret, and every secret the program itself knows. */
export function redact(text: string): string {
  let out = text
  for (const value of known) out = out.split(value).join('[secret removed]')
  for (const [pattern, replacement] of patterns) out = out.replace(pattern, replacement)
  return withoutFieldValues(withoutKeyEnds(out))
}
