import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { redact } from '../../../src-main/base/redact'
import { redactDeep } from '../../../src-main/base/redact-deep'
import { quoteArg } from '../../../src-main/base/quote'

const mark = 'Zq9x'
/** Any text with a mark at both ends and in the middle, by which every leftover of it is known. */
const secretOf = (unit: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.string({ unit, maxLength: 12 }), fc.string({ unit, maxLength: 12 }))
    .map(([a, b]) => `${mark}${a}${mark}${b}${mark}`)
const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const nasty = fc.constantFrom(...'"\'\\/@:;,&#|>{}[]()=%$! \tä😀abc012')
const wild = secretOf(fc.oneof(nasty, printable))
const withLines = secretOf(fc.oneof(nasty, printable, fc.constant('\n')))
const wordy = secretOf(fc.constantFrom(...'abcXYZ0189._~+/-'))

const name = fc.constantFrom(
  'password',
  'DB_PASSWORD',
  'dbPass',
  'smtp_pass',
  'api_key',
  'apiKey',
  'X-Api-Key',
  'client_secret',
  'access-token',
  'PSK',
  'passphrase',
  'Passwort',
  'preshared_key'
)

const gone = (text: string) => expect(redact(text)).not.toContain(mark)
const holds = <T extends unknown[]>(
  ...args: [...{ [K in keyof T]: fc.Arbitrary<T[K]> }, (...values: T) => void]
) => {
  const check = args.at(-1) as (...values: T) => void
  const from = args.slice(0, -1) as unknown as [fc.Arbitrary<T[0]>]
  fc.assert(
    fc.property(...from, (...values) => void check(...(values as unknown as T))),
    { numRuns: 400 }
  )
}

test.each(['{"password":"x"}', 'it says {"password": "x", "user": "root"} here', '{\\"password\\":\\"x\\"}'])(
  'a secret of one letter in a JSON string inside text is removed: %s',
  (text) => {
    expect(redact(text)).not.toMatch(/"x\\?"/)
    expect(redact(text)).toContain('[removed]')
  }
)

test('JSON stays JSON when a secret is taken out of it, at any depth of JSON in JSON', () => {
  holds<[string, string, number]>(name, withLines, fc.integer({ min: 0, max: 3 }), (key, secret, depth) => {
    let json = JSON.stringify({ a: 1, [key]: secret, user: 'root' })
    for (let i = 0; i < depth; i++) json = JSON.stringify({ inner: json })
    const text = redact(json)
    expect(text).not.toContain(mark)
    let back: unknown = JSON.parse(text)
    for (let i = 0; i < depth; i++) back = JSON.parse((back as { inner: string }).inner)
    expect(back).toEqual({ a: 1, [key]: '[removed]', user: 'root' })
    gone(`before ${json} behind`)
  })
})

test('env files and commands with quoted values', () => {
  holds<[string, string]>(name, wild, (key, secret) => {
    gone(`A=1\n${key}=${quoteArg(secret)}\nB=2`)
    gone(`export ${key}=${quoteArg(secret)}`)
    gone(`docker run -e ${key}=${quoteArg(secret)} image`)
    gone(`--${key} ${quoteArg(secret)}`)
  })
})

test('env files with bare values, options and queries of addresses', () => {
  holds<[string, string]>(name, wordy, (key, secret) => {
    gone(`A=1\n${key}=${secret}\nB=2`)
    gone(`curl 'https://example.com/?a=1&${key}=${secret}&b=2'`)
    gone(`app --${key}=${secret} --port 80`)
    gone(`app --${key} ${secret} --port 80`)
    gone(`<${key}>${secret}</${key}>`)
    gone(`Environment="${key}=${secret} and words"`)
  })
})

test('YAML in whatever style it is written', () => {
  holds<[string, string]>(name, withLines, (key, secret) => {
    gone(stringify({ services: [{ name: 'db', env: { [key]: secret, port: 5432 } }] }))
    gone(stringify({ env: [{ name: key, value: secret }] }))
    gone(stringify([`${key}=${secret.replace(/\s/g, '_')}`]))
  })
})

test('INI files to the end of the line', () => {
  holds<[string, string]>(name, wordy, (key, secret) => {
    const text = redact(`[db]\n${key} = ${secret} ${secret}\nport = 5432\n`)
    expect(text).not.toContain(mark)
    expect(text).toContain('port = 5432')
  })
})

test('what stands before the @ of an address', () => {
  holds<[string]>(wild, (secret) => {
    const encoded = encodeURIComponent(secret)
    expect(redact(`postgres://app:${encoded}@db.lan:5432/app`)).toBe(
      'postgres://app:[removed]@db.lan:5432/app'
    )
    gone(`amqp://:${encoded}@mq`)
  })
  expect(redact('mysql://app:p@ss@db.lan/x')).toBe('mysql://app:[removed]@db.lan/x')
})

test('headers', () => {
  holds<[string]>(wordy, (secret) => {
    for (const head of [
      `Authorization: Bearer ${secret}`,
      `Authorization: ${secret}`,
      `proxy-authorization: Basic ${secret}`,
      `X-Api-Key: ${secret}`,
      `Cookie: a=b; session=${secret}`,
      `X-Auth-Token:${secret}`
    ]) {
      gone(`GET / HTTP/1.1\r\n${head}\r\nHost: x\r\n`)
      gone(`curl -H '${head}' https://x`)
      gone(JSON.stringify({ headers: { [head.split(':')[0] ?? '']: head.split(':').slice(1).join(':') } }))
      gone(JSON.stringify({ log: JSON.stringify([head]) }))
    }
  })
})

test('PEM, in text, in JSON and behind a name', () => {
  holds<[string]>(secretOf(fc.constantFrom(...'abcABC019+/')), (secret) => {
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n${secret}=\n-----END RSA PRIVATE KEY-----`
    gone(`key:\n${pem}\nmore`)
    gone(JSON.stringify({ key: pem }))
    gone(`PRIVATE_KEY="${pem}"`)
    gone(`Private-Lines: 2\n${secret}\n${secret}\nPrivate-MAC: 0`)
  })
})

test('inside plain data a field’s name decides too, at every depth; the shape stays', () => {
  holds<[string, string]>(name, withLines, (key, secret) => {
    const data = { list: [{ [key]: secret, port: 1 }], deep: { [key]: { inner: [secret] } }, ok: true }
    expect(redactDeep(data)).toEqual({
      list: [{ [key]: '[removed]', port: 1 }],
      deep: { [key]: { inner: ['[removed]'] } },
      ok: true
    })
    expect(JSON.stringify(redactDeep([`--${key}`, secret, '--port']))).not.toContain(mark)
    expect(JSON.stringify(redactDeep({ env: [{ name: key, value: secret }] }))).not.toContain(mark)
  })
})

test('what was cleaned once is not changed by cleaning it again', () => {
  holds<[string, string]>(name, wild, (key, secret) => {
    for (const text of [
      `${key}=${quoteArg(secret)}`,
      JSON.stringify({ [key]: secret }),
      `${key}: ${secret}`
    ]) {
      const once = redact(text)
      expect(redact(once)).toBe(once)
    }
  })
})

test('references, switches and counts are no secrets', () => {
  const data = {
    apiKey: 'keychain:openrouter',
    passphrase: 'env:PASS_1',
    max_tokens: 4096,
    secretName: 'db',
    PWD: '/root',
    password: null,
    hasToken: true
  }
  expect(redactDeep(data)).toEqual(data)
  for (const text of [
    'max_tokens: 4096',
    'PasswordAuthentication=no',
    'PASSWORD_FILE=/run/secrets/db',
    'PWD=/root',
    'password: ""'
  ])
    expect(redact(text)).toBe(text)
})
