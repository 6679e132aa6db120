/** Monthly call budget: calls used, calls allowed, and calls that a sync will probably take. */
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { monthOf } from './calling.ts'
import type { Quota } from '../contract.ts'
import type { ConnectionRow } from './rows.ts'

/** Share of the budget reserved for other programs and for a retry, in percent. */
const RESERVE_PCT = 20

const usedInMonth = prepare((db, p: { id: number; month: number }) =>
  db
    .selectFrom('erp_calls')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection_id', '=', p.id)
    .where('month', '=', p.month),
)

const usedSince = prepare((db, p: { id: number; month: number; at: number }) =>
  db
    .selectFrom('erp_calls')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection_id', '=', p.id)
    .where('month', '=', p.month)
    .where('at', '>', p.at),
)

const lastOfMonthWindow = prepare((db, p: { id: number; month: number }) =>
  db
    .selectFrom('erp_calls')
    .select(['id', 'at', 'limit_remaining'])
    .where('connection_id', '=', p.id)
    .where('month', '=', p.month)
    .where('limit_window', '=', 'month')
    .where('limit_remaining', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1),
)

/**
 * Returns the month's calls: by the account's meter where it was read this month, plus the calls since; else as
 * counted here. Null where the provider has no limit and no budget is set.
 */
export async function quotaOf(ctx: Ctx, row: ConnectionRow): Promise<Quota | null> {
  const month = monthOf(ctx.now())
  const local = (await usedInMonth.first(ctx.db, { id: row.id, month }))?.count ?? 0
  const name = `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`
  const budget = row.monthly_budget
  const reserve = budget === null ? 0 : Math.ceil((budget * RESERVE_PCT) / 100)
  const base = { month: name, budget, reserve }
  const { meter_at: meterAt, meter_used: meterUsed } = row
  if (meterAt !== null && meterUsed !== null && monthOf(new Date(meterAt)) === month) {
    const since = (await usedSince.first(ctx.db, { id: row.id, month, at: meterAt }))?.count ?? 0
    return { ...base, used: Math.max(local, meterUsed + since), limit: row.meter_limit, source: 'meter' }
  }
  if (budget === null) return null
  const told = await lastOfMonthWindow.first(ctx.db, { id: row.id, month })
  if (told && told.limit_remaining !== null) {
    const since = (await usedSince.first(ctx.db, { id: row.id, month, at: told.at }))?.count ?? 0
    // The account's remaining calls limit the use, whatever the budget says.
    const used = Math.max(local, budget - Math.max(0, told.limit_remaining - since))
    return { ...base, used, limit: null, source: 'headers' }
  }
  return { ...base, used: local, limit: null, source: 'local' }
}

/** Returns the calls that may be used without force; null where there is no budget. */
export function callsLeft(quota: Quota | null): number | null {
  if (quota === null || quota.budget === null) return null
  return Math.max(0, quota.budget - quota.reserve - quota.used)
}
