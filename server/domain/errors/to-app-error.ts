/** Whatever was thrown, as an error for whoever asked. */
import { AppError } from './catalog.ts'

const WAIT_SECONDS = 5

/** Ours as they are; `too_busy` where the system gives out no more files for the moment; anything else is a bug: `internal`. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { code } = (thrown ?? {}) as { code?: unknown }
  if (code === 'EMFILE' || code === 'ENFILE')
    return new AppError('too_busy', { cause: thrown, retryAfterSeconds: WAIT_SECONDS })
  return new AppError('internal', { cause: thrown })
}

/** Waits for a writing that may be left out where the books cannot be written: what was found is told all the same. */
export async function whereWritable(writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'store_readonly') throw error
  }
}
