/** What is expensive waits for one of the few places that all doors share. */
import { familyOf, isCapped } from '../../domain/contract/rate-limits.ts'
import type { CappedFamily } from '../../domain/contract/rate-limits.ts'
import type { Ctx } from '../../context.ts'
import type { Operation } from '../operations.ts'
import { runOperation } from '../run.ts'
import type { RunOptions } from '../run.ts'

/** Waits for a place; calling what it answers gives it back. Throws `too_busy`. */
export type Enter = (family: CappedFamily) => Promise<() => void>

/** Who asks, and how they get a place. */
export interface LimitedCaller {
  ctx: Ctx
  enter: Enter
}

/** `runOperation` in a place, when the operation is one of those that need one; the place is free when it has answered. */
export async function withConcurrencyLimit(
  operation: Operation,
  { ctx, enter }: LimitedCaller,
  raw: unknown,
  options: RunOptions = {},
): Promise<unknown> {
  const family = familyOf(operation.contract)
  if (!isCapped(family)) return runOperation(operation, ctx, raw, options)
  const place: { leave?: () => void } = {}
  try {
    return await runOperation(operation, ctx, raw, {
      ...options,
      beforeWork: async () => void (place.leave = await enter(family)),
    })
  } finally {
    place.leave?.()
  }
}
