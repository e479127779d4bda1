/**
 * Which part of the program may import which: arrows point downward only, so
 * that events go up and calls go down.
 */
import { dirname, relative, resolve, sep } from 'node:path'
import { root } from '../lib/paths.mjs'

const shared = ['base', 'config', 'store', 'ssh', 'secrets']
const services = ['execution', 'fleet', 'signals', 'knowledge', 'web', 'skills']
const tops = ['desktop', 'ipc', 'mcp', 'cli']
const belowTheTop = ['words', 'agent', 'tools', ...services, ...shared]

/** For each layer, everything that it may import besides itself and the contract. */
const mayImport = {
  base: [],
  config: ['base'],
  store: ['base', 'config'],
  ssh: ['base', 'config', 'store', 'secrets'],
  secrets: ['base', 'config', 'store'],
  fleet: shared,
  knowledge: shared,
  web: shared,
  skills: shared,
  execution: [...shared, 'fleet'],
  signals: [...shared, 'fleet', 'execution'],
  words: [],
  tools: [...services, ...shared],
  agent: ['tools', ...services, ...shared],
  ipc: belowTheTop,
  mcp: belowTheTop,
  desktop: [...belowTheTop, 'ipc', 'mcp'],
  cli: [...belowTheTop, 'mcp', 'ipc', 'lab', 'composition'],
  lab: ['base'],
  composition: [...belowTheTop, ...tops, 'lab'],
  contract: [],
  preload: [],
  renderer: []
}

const electronIsFor = ['desktop', 'preload']
const packagesOf = { contract: ['zod'] }

/** The layer of a file of the program; other files (tests, scripts) have none. */
export function layerOf(path) {
  const [top, second, third] = relative(root, path).split(sep)
  if (top === 'src-renderer') return 'renderer'
  if (top === 'src-preload') return second === 'contract' ? 'contract' : 'preload'
  if (top !== 'src-main') return undefined
  return third === undefined ? 'composition' : second
}

const isPackage = (name) => !name.startsWith('.') && !name.startsWith('@contract')

function wrongPackage(layer, name) {
  if (/^electron(\/|$)/.test(name) && !electronIsFor.includes(layer)) {
    return `only ${electronIsFor.join(' and ')} may import electron`
  }
  if (name.startsWith('node:') && ['renderer', 'contract'].includes(layer)) return `${layer} may not use Node`
  const only = packagesOf[layer]
  if (only && !only.includes(name)) return `${layer} may import no package but ${only.join(', ')}`
  return undefined
}

function wrongLayer(layer, target) {
  if (target === layer || target === 'contract' || mayImport[layer].includes(target)) return undefined
  return target
    ? `${layer} may not import ${target}`
    : `${layer} may not import what is outside of the program`
}

/** Says what is wrong with an import, if anything is. */
export function objection(file, name) {
  const layer = layerOf(file)
  if (!layer) return undefined
  if (!mayImport[layer]) return `src-main/${layer} is no layer that the lint rule knows`
  if (isPackage(name)) return wrongPackage(layer, name)
  return wrongLayer(layer, name.startsWith('@contract') ? 'contract' : layerOf(resolve(dirname(file), name)))
}

export const layers = {
  meta: { type: 'problem', schema: [], docs: { description: 'Imports follow the layers.' } },
  create(context) {
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return
      const message = objection(context.filename, node.source.value)
      if (message) context.report({ node: node.source, message })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check
    }
  }
}
