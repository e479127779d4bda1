/** `word` in any case, inside an expression that tells cases apart elsewhere. */
const anyCase = (word: string): string => word.replace(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`)

const words = [
  'password',
  'passwort',
  'passwd',
  'passphrase',
  'kennwort',
  'secret',
  'token',
  'credential',
  ...['api', 'access', 'auth', 'private', 'preshared', 'encryption', 'signing'].map((of) => `${of}[_-]?key`),
  'signature'
].map((word) => (word.includes('[') ? word.replace(/[a-z]+/g, anyCase) : anyCase(word)))
const shortWords = ['psk', 'pass', 'pwd'].map(anyCase).join('|')

/** Words that name a secret; the short ones only by themselves, as in `DB_PASS` and `dbPass`, not in "compass". */
const source = `(?:${words.join('|')}|(?<![A-Za-z])(?:${shortWords})(?![A-Za-z])|(?<=[a-z])(?:Pass|Pwd|Psk)(?![a-z]))`
const secretWord = new RegExp(source)
/** Finds each such word; whoever uses it sets `lastIndex`. */
export const secretWords = (): RegExp => new RegExp(source, 'g')

/** What is said of a secret without being it: `max_tokens`, `secretName`, `PASSWORD_FILE`, `token_type`. */
const aboutSecret =
  /^(?:OLD)?PWD$|tokens$|[_.-]?(?:count|limit|name|type|policy|length|min|max|ttl|expir\w*|file|path|dir|ur[li]|endpoint)$/i

/** Whether a field of this name holds a secret. */
export const namesSecret = (name: string): boolean => secretWord.test(name) && !aboutSecret.test(name)

const harmless = /^(?:\s*|true|false|yes|no|on|off|null|none|\*+|(?:env|keychain):[\w.-]+)$/i
/** What stands in a secret's place without being one: nothing, a switch, a mask, a reference to where it is kept. */
export const isHarmless = (value: string): boolean => harmless.test(value)
