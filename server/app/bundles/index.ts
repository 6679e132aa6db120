/** Public interface of the bundles slice. */
import type { Ctx, Operation } from '../../context.ts'

export { SEALED_PAIRING_KEYS } from './pairing/sealed.ts'

/** Runs an operation in the copy of a client's books. Throws `company_advised` for what an adviser may not change. */
export async function runInCopy(operation: Operation, ctx: Ctx, input: unknown): Promise<unknown> {
  return (await import('./changes/make.ts')).runInCopy(operation, ctx, input)
}
