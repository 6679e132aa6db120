/** Holds the exports of a running application, once there are any. */
import type { AppEnvironment } from '../../../context.ts'
import type { Exports } from './run.ts'

const known = new WeakMap<AppEnvironment, Exports>()

/** Returns the exports of a running application, created on first use. */
export function runningExports(env: AppEnvironment, make: () => Exports): Exports {
  const exports = known.get(env) ?? make()
  known.set(env, exports)
  return exports
}

/** Keeps the exports of an application elsewhere than in the memory of its process. */
export function keepExportsIn(env: AppEnvironment, exports: Exports): void {
  known.set(env, exports)
}

/** Stops all exports; resolves when the current document is done. */
export async function stopExports(env: AppEnvironment): Promise<void> {
  await known.get(env)?.stop()
}
