/** Checks whether the books can be written again, by writing: the person has freed disk space and retries. */
import type { checkStoreContract } from './contract.ts'
import type { UseCase } from '../../context.ts'

/** Tries to write and notifies every window of the result. */
export const checkStore: UseCase<typeof checkStoreContract> = async (ctx) => {
  const fault = await ctx.env.store.tryWriting()
  return { reason: fault?.reason ?? null }
}
