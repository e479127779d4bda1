import { describe, expect, it } from 'vitest'
import { classifyFailure } from '../../../src-main/execution/errors'

describe('what a failure means', () => {
  it.each([
    ['cluster not ready - no quorum?', 'no_quorum'],
    ["unable to create CT 101 - CT 101 already exists on node 'pve'", 'vmid_taken'],
    ['CT is locked (backup)', 'guest_locked'],
    ["can't lock file '/run/lock/lxc/pve-config-101.lock' - got timeout", 'guest_busy'],
    ['unable to destroy CT 101 - container is running', 'guest_running'],
    ["can't remove CT 101 - protection mode enabled", 'guest_protected'],
    ['unable to remove CT 101 - used in HA resources and purge parameter not set.', 'guest_in_ha'],
    ["container '101' not running!", 'guest_stopped'],
    ["Configuration file 'nodes/pve/lxc/101.conf' does not exist", 'guest_gone'],
    ["you can't start a CT if it's a template", 'guest_is_template'],
    ["startup for container '101' failed", 'start_failed'],
    ['container did not stop', 'did_not_stop'],
    ['tar: ./usr/bin: Cannot write: No space left on device', 'no_space'],
    ['not enough free space (1.00 GiB < 8.00 GiB)', 'no_space'],
    ["volume 'local:vztmpl/x.tar.zst' does not exist", 'template_not_found'],
    ['template: no such template', 'template_not_found'],
    ["storage 'x' does not exist", 'storage_unusable'],
    ["storage: storage 'x' does not support container directories", 'storage_unusable'],
    ['snapshot feature is not available', 'snapshot_not_possible'],
    ["snapshot name 'a' already used", 'snapshot_exists'],
    ["snapshot 'a' does not exist", 'snapshot_not_found'],
    ["can't rollback, 'a' is not most recent snapshot on 'rpool/x'", 'snapshot_not_newest'],
    ['unable to shrink disk size', 'resize_refused'],
    ['SSH public key validation error', 'ssh_key_invalid'],
    ['hostname: invalid format - value does not look like a valid DNS name', 'hostname_invalid'],
    ['E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt-get)', 'apt_locked'],
    ['E: Unable to locate package nope', 'package_not_found'],
    ['Failed to restart nope.service: Unit nope.service not found.', 'unit_not_found'],
    ['Job for caddy.service failed because the control process exited with error code.', 'unit_failed'],
    ['403 Permission check failed (/vms/101, VM.Allocate)', 'permission_denied']
  ])('%s → %s', (text, code) => {
    const error = classifyFailure(`some output\n${text}\n`, 255)
    expect(error.code).toBe(code)
    expect(error.message).toContain(text)
    expect(error.hint).toBeTruthy()
  })

  it('goes by the last complaint', () => {
    const output = 'rm: x: Permission denied\nstarting\nCT is locked (backup)\n'
    expect(classifyFailure(output, 255).code).toBe('guest_locked')
  })

  it('says the exit code and the last line of what it does not know', () => {
    expect(classifyFailure('working\nboom\n', 3)).toMatchObject({
      code: 'command_failed',
      message: 'The command ended with exit code 3. It printed last: boom'
    })
    expect(classifyFailure('', 1).message).toContain('It printed nothing.')
  })
})
