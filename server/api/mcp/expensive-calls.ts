/** Expensive operations wait for one of the few slots shared by all transports. */
import { familyOf, isCapped } from '../../domain/contract/rate-limits.ts'
import type { CappedFamily } from '../../domain/contract/rate-limits.ts'
import type { Ctx } from '../../context.ts'
import type { Operation } from '../../context.ts'
import { runOperation } from '../run.ts'
import type { RunOptions } from '../run.ts'

/** Waits for a slot; the returned function releases it. Throws `too_busy`. */
export type Enter = (family: CappedFamily) => Promise<() => void>

/** The caller, and its way to get a slot. */
export interface LimitedCaller {
  ctx: Ctx
  enter: Enter
}

/** Calls `runOperation` within a slot if the operation needs one; the slot is released after the answer. */
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
