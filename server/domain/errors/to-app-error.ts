/** Converts any thrown value to an error for the caller. */
import { AppError } from './app-error.ts'

const WAIT_SECONDS = 5

/**
 * Returns an `AppError` unchanged, `too_busy` if the system has no free file handles, and `internal` for anything
 * else, which is a bug.
 */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { code } = (thrown ?? {}) as { code?: unknown }
  if (code === 'EMFILE' || code === 'ENFILE')
    return new AppError('too_busy', { cause: thrown, retryAfterSeconds: WAIT_SECONDS })
  return new AppError('internal', { cause: thrown })
}

/** Waits for a write that may be skipped if the books are read-only: the result of the read is returned in any case. */
export async function whereWritable(writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'store_readonly') throw error
  }
}
