import type { ElectronApplication } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  channels,
  type FleetView,
  type GuestView,
  type HostView,
  type StorageView
} from '../../src-preload/contract'
import { launchApp } from '../support/app'
import { ask, inPage } from '../support/in-page'
import { figure, ms, spread } from './support/figures'
import { clickUntil, watchSmoothness } from './support/page'
import { seeded } from './support/words'

const clusters = 2
const hostsEach = 25
const guestsEach = 250
const gib = 1024 ** 3

/** 2 clusters with 50 hosts, 500 guests and 100 storages; another moment has other figures. */
function fleetAt(moment: number): FleetView {
  const random = seeded(moment)
  const node = (cluster: number, index: number) => `node-${cluster}-${index}`
  const hosts = Array.from({ length: clusters * hostsEach }, (_, index): HostView => {
    const name = node(index % clusters, Math.floor(index / clusters))
    return {
      ...{ name, node: name, address: `10.0.${index % clusters}.${index}`, port: 22, user: 'root' },
      ...{ connection: 'reachable', version: '9.0.3', cpu: random(), cpus: 32, memory: random() * 128 * gib },
      ...{ maxMemory: 128 * gib, uptime: 1e6, hostKey: null, error: null, seenAt: moment }
    }
  })
  const guests = Array.from({ length: clusters * guestsEach }, (_, index): GuestView => {
    const cluster = index % clusters
    const host = node(cluster, Math.floor(index / clusters) % hostsEach)
    return {
      ...{
        kind: index % 5 === 0 ? 'vm' : 'lxc',
        vmid: 100 + index,
        name: `service-${index}`,
        node: host,
        host
      },
      ...{
        cluster: `cluster-${cluster}`,
        status: index % 9 === 0 ? 'stopped' : 'running',
        cpu: random(),
        cpus: 4
      },
      ...{ memory: random() * 8 * gib, maxMemory: 8 * gib, disk: random() * 32 * gib, maxDisk: 32 * gib },
      ...{ uptime: 1e5 + index, tags: ['web', `team-${index % 7}`], lock: null, template: false }
    }
  })
  const storages = hosts.flatMap(({ name }): StorageView[] =>
    ['local', 'local-lvm'].map((storage) => ({
      ...{
        name: storage,
        node: name,
        host: name,
        type: 'dir',
        content: ['rootdir'],
        active: true,
        shared: false
      },
      ...{ used: random() * 900 * gib, total: 1000 * gib }
    }))
  )
  return { hosts, guests, storages, refreshedAt: moment }
}

/** Tells the window of a fleet as main does; no host is set up, so nothing else tells of another. */
async function show(app: ElectronApplication, fleet: FleetView, seq: number): Promise<void> {
  const events = [{ seq, at: Date.now(), event: { type: 'fleet.changed', fleet } }]
  await app.evaluate(
    ({ BrowserWindow }, [channel, batch]) => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, batch)
    },
    [channels.event, events] as const
  )
}

it('the Fleet page with 2 clusters, 50 hosts and 500 guests', async () => {
  const { app, page, close } = await launchApp()
  const boot = await ask(page, 'app.bootstrap', {})
  let seq = boot.ok ? boot.data.seq : 0
  const tell = (moment: number) => show(app, fleetAt(moment), ++seq)
  await tell(1)
  const filled = `document.querySelectorAll('[data-testid$="-row"]').length > 20`
  const opened = await clickUntil(page, '[data-testid="nav-fleet"]', filled)
  figure('Fleet page, 50 hosts and 500 guests, opened', ms(opened), '150 ms')

  const watch = await watchSmoothness(page)
  for (let moment = 2; moment < 12; moment++) {
    await tell(moment)
    await page.getByTestId('lxc-row').first().waitFor()
    await inPage(page, 'await new Promise((done) => setTimeout(done, 150))')
  }
  const refreshed = await watch()
  const { longTasks } = refreshed
  figure(
    '  refreshed ten times, tasks over 50 ms',
    longTasks.length === 0 ? 'none' : spread(longTasks),
    'none'
  )

  const scrolling = await watchSmoothness(page)
  await inPage(
    page,
    `const list = document.querySelector('main.page')
     for (let step = 0; step < 240; step++) {
       list.scrollTop += 80
       await new Promise(requestAnimationFrame)
     }`
  )
  const scrolled = await scrolling()
  figure('  scrolled to the end, frames', spread(scrolled.frames))
  await page.getByText(`service-${clusters * guestsEach - 1}`, { exact: true }).waitFor()
  const drawn = await page.locator('[data-testid="lxc-row"], [data-testid="vm-row"]').count()
  expect(drawn).toBeLessThan(100)
  figure('  rows drawn at the end of 500', String(drawn))

  const typed: number[] = []
  for (const letters of ['service-49', 'service-4', 'team-3', 'node-1-7', 'service-123']) {
    const begun = Date.now()
    await page.getByTestId('guest-filter').fill(letters)
    await page.getByTestId('guest-count').filter({ hasText: 'of 500' }).waitFor()
    typed.push(Date.now() - begun)
  }
  figure('  filtered, with the time to type', spread(typed))
  await close()
})
