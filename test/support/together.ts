/** Operations that are begun together, as when two people, or a person and a program, ask at the same moment. */
import { AppError } from '../../server/core/errors.ts'

/** `done`, or the code it was refused with, of each of them, sorted; anything that is no refusal is thrown. */
export async function together(...works: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(works)
  return outcomes
    .map((outcome) => {
      if (outcome.status === 'fulfilled') return 'done'
      if (outcome.reason instanceof AppError) return outcome.reason.code
      throw outcome.reason
    })
    .toSorted()
}
