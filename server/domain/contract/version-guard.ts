/** The guard against overwriting or removing what somebody else has changed meanwhile. */
import { AppError } from '../errors/catalog.ts'

/** Throws `version_conflict`, with the version there is now, unless the caller knows it or asks for no guard. */
export function assertVersion(expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return
  throw new AppError('version_conflict', {
    field: 'expectedVersion',
    details: { expectedVersion: expected, version: current },
  })
}
