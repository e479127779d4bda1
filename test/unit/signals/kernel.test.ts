import { expect, test } from 'vitest'
import { newerKernel } from '../../../src-main/signals/kernel'

test.each([
  ['6.8.12-4-pve', ['vmlinuz-6.8.12-4-pve', 'initrd.img-6.8.12-9-pve'], null],
  ['6.8.12-4-pve', ['vmlinuz-6.8.12-4-pve', 'vmlinuz-6.8.12-10-pve', 'vmlinuz-6.8.4-2-pve'], '6.8.12-10-pve'],
  ['6.14.0-2-pve', ['vmlinuz-6.8.12-10-pve'], null],
  ['6.8.12-4-pve', ['vmlinuz-6.12.0-1-amd64'], null],
  ['', ['vmlinuz-6.8.12-10-pve'], null],
  ['6.8.12-4-pve', ['vmlinuz-', 'vmlinuz-old', 'grub'], null]
])('of a host that runs %s with %j in /boot, %s waits for a reboot', (running, files, newer) => {
  expect(newerKernel(running, files)).toBe(newer)
})
