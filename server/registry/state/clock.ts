/**
 * Compares this computer's clock with the authority's: the last measurement, and the difference that a person
 * accepted.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import type { acceptClockContract } from '../contract.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { changeFlow, findFlow } from '../queue/rows.ts'
import type { FlowRow } from '../queue/rows.ts'

const WARNING_MS = 60_000
/** From this difference on the authority marks records (2004). */
const LIMIT_MS = 240_000
/** An accepted difference may drift by this much. */
const DRIFT_MS = 60_000
/** An older measurement says nothing about the present. */
const FRESH_MS = 24 * 3_600_000

/** A record may not be dated before the last one; one minute of clock drift is tolerated (Orden HAC/1177/2024 art. 7). */
const CLOCK_GRACE_MS = 60_000

/** Returns by how many whole seconds this computer's clock is behind the book's own last record; 0 when it is not. */
export function secondsBehindRecord(ctx: Ctx, chain: { head_generated_at: number | null }): number {
  const head = chain.head_generated_at
  if (head === null || ctx.now().getTime() >= head - CLOCK_GRACE_MS) return 0
  return Math.round((head - ctx.now().getTime()) / 1000)
}

/**
 * Returns the texts about a clock before the last record, with both ways out: nothing shows which of the two times is
 * right.
 */
export function clockBehindMessages(
  ctx: Ctx,
  chain: { head_generated_at: number | null },
): { message: string; fix: string } {
  const last = new Date(chain.head_generated_at ?? ctx.now().getTime()).toISOString()
  return {
    message: `The last record was made at ${last}, and this computer's clock is earlier: ${ctx.now().toISOString()}.`,
    fix: 'Set the clock if it is wrong now. If it is right and was ahead then, a person begins a new installation on the registry page, with the reason that the clock was ahead.',
  }
}

/**
 * Returns the smallest difference, this computer's clock minus the authority's in milliseconds, that is possible when
 * the authority read its clock during an exchange. A computer that was suspended or whose clock was set during the
 * exchange has a long one, which proves nothing about its clock.
 */
export function provenSkewMs(theirs: number, sentAt: number, answeredAt: number): number {
  const least = Math.min(sentAt, answeredAt) - theirs
  const most = Math.max(sentAt, answeredAt) - theirs
  if (least > 0) return least
  return most < 0 ? most : 0
}

/** Returns true if the last answer within 24 hours showed a difference of more than one minute. */
export function isClockAway(flow: Pick<FlowRow, 'skew_ms' | 'skew_at'>, now: number): boolean {
  const { skew_ms: skew, skew_at: at } = flow
  if (skew === null || at === null || Math.abs(skew) <= WARNING_MS) return false
  // A measurement in the future means that the clock was set back since, so it describes another clock.
  return now >= at && now - at <= FRESH_MS
}

/** Returns a warning or an error when the clocks were far apart at the authority's last answer within 24 hours. */
export function clockFaults(
  ctx: Ctx,
  flow: Pick<FlowRow, 'skew_ms' | 'skew_at' | 'skew_accepted_ms'>,
): Fault[] {
  const { skew_ms: skew, skew_accepted_ms: accepted } = flow
  if (skew === null || !isClockAway(flow, ctx.now().getTime())) return []
  const away = Math.abs(skew)
  const seconds = Math.round(skew / 1000)
  const isAccepted = accepted !== null && Math.abs(skew - accepted) <= DRIFT_MS
  if (away <= LIMIT_MS || isAccepted)
    return [
      {
        code: 'clock_differs',
        field: '',
        severity: 'warning',
        message: `This computer's clock differs from the authority's by ${seconds} seconds.`,
        fix: 'Let the system set the clock from the internet.',
        params: { seconds },
      },
    ]
  return [
    {
      code: 'clock_wrong',
      field: '',
      severity: 'error',
      message: `This computer's clock differs from the authority's by ${seconds} seconds.`,
      fix: 'Let the system set the clock from the internet, or accept the difference on the registry page.',
      params: { seconds },
    },
  ]
}

/**
 * Accepts the difference as last measured: issuing continues while the clocks stay that far apart. The history stores
 * the seconds, because the authority will find the time of every record made meanwhile wrong.
 */
export const acceptClock: UseCase<typeof acceptClockContract> = (ctx) =>
  ctx.transaction(async (tx) => {
    const { skew_ms: skew } = await findFlow(tx)
    if (skew === null) return { skewSeconds: 0 }
    const skewSeconds = Math.round(skew / 1000)
    await changeFlow(tx, { skew_accepted_ms: skew })
    await recordAudit(tx, {
      action: 'registry.clock_accepted',
      target: { type: 'book', id: tx.book.publicId, label: `${skewSeconds} s` },
    })
    await emitEvent(tx, 'registry.changed', { skewSeconds })
    return { skewSeconds }
  })
