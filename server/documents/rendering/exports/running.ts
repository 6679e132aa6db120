/** Which exports a running Sello has, if any were asked for. */
import type { AppEnvironment } from '../../../context.ts'
import type { Exports } from './run.ts'

const known = new WeakMap<AppEnvironment, Exports>()

/** Those of a running Sello, made when they are first asked for. */
export function runningExports(env: AppEnvironment, make: () => Exports): Exports {
  const exports = known.get(env) ?? make()
  known.set(env, exports)
  return exports
}

/** Stops all of them; resolves when the document under way has ended. */
export async function stopExports(env: AppEnvironment): Promise<void> {
  await known.get(env)?.stop()
}
