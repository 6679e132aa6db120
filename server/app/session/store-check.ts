/** Whether the books can be written again, found out by writing: the person has freed the disk and asks. */
import type { checkStoreContract } from './contract.ts'
import type { UseCase } from '../../context.ts'

/** Tries to write; what comes of it is also told to every window. */
export const checkStore: UseCase<typeof checkStoreContract> = async (ctx) => {
  const fault = await ctx.env.store.tryWriting()
  return { reason: fault?.reason ?? null }
}
