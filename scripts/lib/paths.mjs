import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const cache = join(root, '.cache')
export const inRoot = (...parts) => join(root, ...parts)
export const inModules = (...parts) => join(root, 'node_modules', ...parts)
