/**
 * Daily caps of keys, spent in the transaction of the issue: a rolled back issue spends nothing. An issue counts
 * against the caps of its key and of every key above it in the chain of makers.
 */
import { addDays, startOfDay } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { creatorsOf } from './rows.ts'
import type { KeyRow } from './rows.ts'

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

const byId = prepare((db, p: { keyId: number }) =>
  db.selectFrom('api_keys').selectAll().where('id', '=', p.keyId),
)

/** One key of the chain that has a cap, with the amount issued today by it and by the keys below it. */
interface CappedKey {
  row: KeyRow
  issued: number
  cents: number
}

async function cappedChain(ctx: Ctx, keyId: number): Promise<CappedKey[]> {
  const own = await byId.first(ctx.db, { keyId })
  if (!own) return []
  const makers = own.maker_id === null ? [] : await creatorsOf(ctx.db, keyId)
  const capped: CappedKey[] = []
  for (const row of [own, ...makers]) {
    if (row.per_day === null && row.cents_per_day === null) continue
    const used = await usage.first(ctx.db, { keyId: row.id, day: ctx.today() })
    capped.push({ row, issued: used?.issued ?? 0, cents: used?.cents ?? 0 })
  }
  return capped
}

/** Returns the key with the smallest remainder; the lower one of two equal ones. */
function tightest(chain: readonly CappedKey[], left: (key: CappedKey) => number): CappedKey | undefined {
  let found: CappedKey | undefined
  for (const key of chain) if (!found || left(key) < left(found)) found = key
  return found
}

const countLeft = ({ row, issued }: CappedKey): number =>
  row.per_day === null ? Number.POSITIVE_INFINITY : row.per_day - issued

const centsLeft = ({ row, cents }: CappedKey): number =>
  row.cents_per_day === null ? Number.POSITIVE_INFINITY : row.cents_per_day - cents

/** The cap of a key per day of Spain's calendar, in euros, and the amount issued today under that cap. */
export interface CapsUsed {
  perDay: number | null
  issuedToday: number
  eurPerDay: number | null
  issuedEurToday: number
}

/**
 * Returns the caps with the smallest remainder today: the key's own or those of one of its makers. Null if none of
 * them has caps.
 */
export async function capsUsed(ctx: Ctx, { rowId }: { rowId: number }): Promise<CapsUsed | null> {
  const chain = await cappedChain(ctx, rowId)
  const count = tightest(chain, countLeft)
  const euros = tightest(chain, centsLeft)
  if (!count || !euros) return null
  const cents = euros.row.cents_per_day
  return {
    perDay: count.row.per_day,
    issuedToday: count.issued,
    eurPerDay: cents === null ? null : eurosFromCents(cents),
    issuedEurToday: eurosFromCents(euros.cents),
  }
}

/**
 * Counts one issue of `totalCents` against the daily caps of the key and its makers, by days of Spain's calendar. A
 * negative total counts by its absolute value, since a cap limits the amounts that a key can cause. Throws
 * `daily_cap_reached`.
 */
export async function spendCaps(tx: Ctx, { rowId }: { rowId: number }, totalCents: Cents): Promise<void> {
  if (!tx.inTransaction) throw new Error('Caps are spent in the transaction of the issue.')
  const chain = await cappedChain(tx, rowId)
  const day = tx.today()
  const cents = Math.abs(totalCents)
  for (const key of chain) {
    const overCount = countLeft(key) < 1
    if (!overCount && centsLeft(key) >= cents) continue
    const tomorrow = startOfDay(addDays(day, 1)).getTime()
    throw new AppError('daily_cap_reached', {
      details: {
        ...(overCount
          ? { cap: 'perDay', perDay: key.row.per_day, issued: key.issued }
          : {
              cap: 'eurPerDay',
              eurPerDay: eurosFromCents(key.row.cents_per_day ?? 0),
              issuedEur: eurosFromCents(key.cents),
              thisEur: eurosFromCents(cents),
            }),
        ...(key.row.id === rowId ? {} : { maker: { id: key.row.public_id, name: key.row.name } }),
      },
      retryAfterSeconds: Math.max(1, Math.ceil((tomorrow - tx.now().getTime()) / 1000)),
    })
  }
  for (const { row } of chain) await spend.run(tx.db, { keyId: row.id, day, cents })
}
