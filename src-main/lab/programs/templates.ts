/** What Proxmox's index offers; a few of the real names. */
export const available: readonly { readonly section: string; readonly name: string; readonly os: string }[] =
  [
    { section: 'system', name: 'almalinux-10-default_20250930_amd64.tar.xz', os: 'almalinux-10' },
    { section: 'system', name: 'alpine-3.22-default_20250617_amd64.tar.xz', os: 'alpine-3.22' },
    { section: 'system', name: 'archlinux-base_20240911-1_amd64.tar.zst', os: 'archlinux' },
    { section: 'system', name: 'debian-12-standard_12.7-1_amd64.tar.zst', os: 'debian-12' },
    { section: 'system', name: 'debian-12-standard_12.12-1_amd64.tar.zst', os: 'debian-12' },
    { section: 'system', name: 'debian-13-standard_13.1-2_amd64.tar.zst', os: 'debian-13' },
    { section: 'system', name: 'fedora-42-default_20250428_amd64.tar.xz', os: 'fedora-42' },
    { section: 'system', name: 'ubuntu-22.04-standard_22.04-1_amd64.tar.zst', os: 'ubuntu-22.04' },
    { section: 'system', name: 'ubuntu-24.04-standard_24.04-2_amd64.tar.zst', os: 'ubuntu-24.04' },
    { section: 'turnkeylinux', name: 'debian-12-turnkey-nextcloud_18.1-1_amd64.tar.gz', os: 'debian-12' },
    { section: 'turnkeylinux', name: 'debian-12-turnkey-wordpress_18.2-1_amd64.tar.gz', os: 'debian-12' }
  ]
