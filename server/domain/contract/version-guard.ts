/** Optimistic locking: prevents overwriting or removing a record that another caller has changed in the meantime. */
import { AppError } from '../errors/app-error.ts'

/**
 * Throws `version_conflict`, with the current version, if `expected` is another one. Skips the check if `expected` is
 * undefined.
 */
export function assertVersion(expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return
  throw new AppError('version_conflict', {
    field: 'expectedVersion',
    details: { expectedVersion: expected, version: current },
  })
}
