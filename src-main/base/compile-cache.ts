import * as nodeModule from 'node:module'
import { join } from 'node:path'

/**
 * What is loaded from now on is kept as it was compiled, and the next start takes it from there: about half of the time
 * it takes to load the core. Node has this since 22.1 (its documentation of module.enableCompileCache); before, nothing
 * happens.
 */
export function keepCompiled(home: string): void {
  if ('enableCompileCache' in nodeModule) enable(nodeModule.enableCompileCache, join(home, 'compiled'))
}

/** Node's types here are those of the oldest version the app runs on. */
function enable(enableCompileCache: unknown, folder: string): void {
  if (typeof enableCompileCache === 'function') Reflect.apply(enableCompileCache, nodeModule, [folder])
}
