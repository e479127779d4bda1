import { expect, it } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { createSecrets } from '../../../src-main/secrets/secrets'

it('F49: without a session bus the app works on, with secrets for this run and the reason', async () => {
  process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/no/such/bus'
  const secrets = createSecrets({ home: '/home/a/nomos', log: silentLogger, env: {} })
  expect(await secrets.state()).toEqual({
    backend: 'memory',
    reason: expect.stringContaining('no desktop session with a keychain'),
    names: []
  })
  await secrets.set('strong', 'a private key')
  expect(await secrets.resolve('keychain:strong')).toEqual({ ok: true, value: 'a private key' })
})
