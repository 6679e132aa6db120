/** Daily caps of a key, spent in the transaction of the issue: a rolled back issue has spent nothing. */
import { addDays, startOfDay } from '../core/dates.ts'
import { AppError } from '../core/errors.ts'
import { eurosFromCents } from '../core/money.ts'
import type { Cents } from '../core/money.ts'
import type { Ctx, KeyActor } from '../ctx.ts'
import { prepare } from '../store/query.ts'

const usage = prepare((db, p: { keyId: number; day: string }) =>
  db
    .selectFrom('key_usage')
    .select(['issued', 'cents'])
    .where('key_id', '=', p.keyId)
    .where('day', '=', p.day),
)

const spend = prepare((db, p: { keyId: number; day: string; cents: number }) =>
  db
    .insertInto('key_usage')
    .values({ key_id: p.keyId, day: p.day, issued: 1, cents: p.cents })
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'day']).doUpdateSet((eb) => ({
        issued: eb('key_usage.issued', '+', 1),
        cents: eb('key_usage.cents', '+', eb.ref('excluded.cents')),
      })),
    ),
)

/** A key's daily caps, null where it has none. */
export type KeyCaps = Pick<KeyActor, 'perDay' | 'centsPerDay' | 'rowId'>

/** What a key may issue in a day of Spain's calendar, in euros on the wire, and what it has issued today. */
export async function capsUsed(
  ctx: Ctx,
  { perDay, centsPerDay, rowId }: KeyCaps,
): Promise<{
  perDay: number | null
  issuedToday: number
  eurPerDay: number | null
  issuedEurToday: number
}> {
  const used = await usage.first(ctx.db, { keyId: rowId, day: ctx.today() })
  return {
    perDay,
    issuedToday: used?.issued ?? 0,
    eurPerDay: centsPerDay === null ? null : eurosFromCents(centsPerDay),
    issuedEurToday: eurosFromCents(used?.cents ?? 0),
  }
}

/**
 * Counts one issue of `totalCents` against what the key may issue in a day of Spain's calendar. A negative total counts
 * by its size: a cap is on what a key can set in motion. Throws `daily_cap_reached`.
 */
export async function spendCaps(tx: Ctx, actor: KeyCaps, totalCents: Cents): Promise<void> {
  const { perDay, centsPerDay, rowId } = actor
  if (perDay === null && centsPerDay === null) return
  if (!tx.inTransaction) throw new Error('Caps are spent in the transaction of the issue.')
  const now = tx.now()
  const day = tx.today()
  const cents = Math.abs(totalCents)
  const used = (await usage.first(tx.db, { keyId: rowId, day })) ?? { issued: 0, cents: 0 }
  const overCount = perDay !== null && used.issued + 1 > perDay
  const overEuros = centsPerDay !== null && used.cents + cents > centsPerDay
  if (overCount || overEuros) {
    const tomorrow = startOfDay(addDays(day, 1)).getTime()
    throw new AppError('daily_cap_reached', {
      details: overCount
        ? { cap: 'perDay', perDay, issued: used.issued }
        : {
            cap: 'eurPerDay',
            eurPerDay: eurosFromCents(centsPerDay ?? 0),
            issuedEur: eurosFromCents(used.cents),
            thisEur: eurosFromCents(cents),
          },
      retryAfterSeconds: Math.max(1, Math.ceil((tomorrow - now.getTime()) / 1000)),
    })
  }
  await spend.run(tx.db, { keyId: rowId, day, cents })
}
