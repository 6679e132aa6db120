/** Year-end closing: books the result to 129, carries balances forward, numbers the entries, and closes the days. */
import { sql } from 'kysely'
import { recordAudit } from '../../../platform/audit/index.ts'
import type { closeYearContract, numberYearContract, reopenYearContract } from '../contract.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { FIRST_MONTH, sumsOf } from '../reports/balances.ts'
import { CLOSING, dayNumber, OPENING } from '../journal/days.ts'
import { writeLock } from './lock.ts'
import { ACCOUNTS } from '../mapping/accounts.ts'
import { reversed } from '../mapping/entry.ts'
import type { EntryLine } from '../mapping/entry.ts'
import { closedYears, listPeriods, lockNumber } from './periods.ts'
import { postEntry, removeEntry } from '../journal/post.ts'
import { isResult } from '../reports/trial-balance.ts'

/** Returns the balances that are not zero. */
async function balances(ctx: Ctx, from: number, to: number): Promise<EntryLine[]> {
  const sums = await sumsOf(ctx, from, to)
  return sums
    .map(({ code, debitCents, creditCents }) => ({ account: code, amountCents: debitCents - creditCents }))
    .filter(({ amountCents }) => amountCents !== 0)
}

/** Returns the regularisation entry: it clears income and expenses into 129. */
export function regularisationOf(results: readonly EntryLine[]): { lines: EntryLine[]; resultCents: number } {
  const resultCents = -results.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return {
    lines: [...reversed(results), { account: ACCOUNTS.result, amountCents: -resultCents }],
    resultCents,
  }
}

async function checkState(ctx: Ctx, year: number, want: 'canClose' | 'canReopen'): Promise<void> {
  const { years } = await listPeriods(ctx, {})
  const own = years.find((one) => one.year === year)
  if (!own?.[want])
    throw new AppError('year_not_closable', {
      field: 'year',
      details: { year, reason: own ? (own.reason ?? 'open') : 'no_entries' },
    })
}

/**
 * Closes a completed year. Period locks do not apply to closing entries: they change no balance of another year, and
 * otherwise a lock on the next year's first quarter would prevent the closing.
 */
async function bookClosing(ctx: Ctx, year: number): Promise<void> {
  await checkState(ctx, year, 'canClose')
  const lockedBefore = await lockNumber(ctx)
  await writeLock(ctx, null)
  const results = (await balances(ctx, year * 100 + OPENING, year * 100 + 12)).filter(({ account }) =>
    isResult(account),
  )
  const { lines, resultCents } = regularisationOf(results)
  const inserted = await ctx.db
    .insertInto('ledger_years')
    .values({
      book_id: ctx.book.id,
      year,
      result_cents: resultCents,
      locked_before: lockedBefore,
      closed_at: ctx.now().getTime(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const last = `${year}-12-31`
  const source = (type: 'regularisation' | 'closing' | 'opening') => ({ type, id: inserted.id })
  await postEntry(ctx, { date: last, source: source('regularisation'), lines })
  const carried = await balances(ctx, FIRST_MONTH, year * 100 + CLOSING)
  await postEntry(ctx, { date: last, source: source('closing'), lines: reversed(carried) })
  await postEntry(ctx, { date: `${year + 1}-01-01`, source: source('opening'), lines: carried })
  await writeLock(ctx, Math.max(lockedBefore ?? 0, dayNumber(last)))
  await recordAudit(ctx, {
    action: 'ledger.year_closed',
    target: { type: 'year', id: String(year), label: String(year) },
  })
  await emitEvent(ctx, 'ledger.changed', { year })
}

/** Closes a year, then numbers its entries. */
export const closeYear: UseCase<typeof closeYearContract> = async (ctx, { year }) => {
  await ctx.transaction((tx) => bookClosing(tx, year))
  await numberEntries(ctx, year)
  return listPeriods(ctx, {})
}

/** Undoes the closing of the last closed year; the next closing numbers its entries again. */
export const reopenYear: UseCase<typeof reopenYearContract> = async (ctx, { year }) =>
  ctx.transaction(async (tx) => {
    await checkState(tx, year, 'canReopen')
    const own = orNotFound((await closedYears(tx)).find((one) => one.year === year))
    await writeLock(tx, null)
    for (const type of ['opening', 'closing', 'regularisation'] as const)
      await removeEntry(tx, { type, id: own.id })
    await tx.db.deleteFrom('ledger_years').where('id', '=', own.id).execute()
    await writeLock(tx, own.locked_before)
    await recordAudit(tx, {
      action: 'ledger.year_reopened',
      target: { type: 'year', id: String(year), label: String(year) },
    })
    await emitEvent(tx, 'ledger.changed', { year })
    return listPeriods(tx, {})
  })

/** This many take about 15 ms, the longest that other requests wait. */
const NUMBERED_AT_ONCE = 500

interface Place {
  day: number
  id: number
}

/** Numbers the next entries after a position; returns the last position. */
async function numberSome(
  ctx: Ctx,
  part: 'opening' | 'months' | 'closing',
  year: number,
  after: Place,
  given: number,
): Promise<{ last: Place; count: number }> {
  const months = { opening: [0, 0], months: [1, 12], closing: [13, 14] }[part]
  const { rows } = await sql<Place>`
    select day, id from journal_entries
    where book_id = ${ctx.book.id} and (day, id) > (${after.day}, ${after.id}) and day < ${(year + 1) * 10_000}
      and month % 100 between ${months[0]} and ${months[1]}
    order by day, id limit ${NUMBERED_AT_ONCE}`.execute(ctx.db)
  let number = given
  for (const row of rows) {
    number += 1
    await ctx.db
      .updateTable('journal_entries')
      .set({ number })
      .where('id', '=', row.id)
      .where((eb) => eb.or([eb('number', 'is', null), eb('number', '<>', number)]))
      .execute()
  }
  return { last: rows.at(-1) ?? after, count: rows.length }
}

/** Numbers a year's entries by day, openings first and closings last; in batches, so that other requests do not wait. */
async function numberEntries(ctx: Ctx, year: number): Promise<number> {
  let given = 0
  for (const part of ['opening', 'months', 'closing'] as const) {
    let after: Place = { day: year * 10_000, id: 0 }
    for (;;) {
      const place = after
      const { last, count } = await ctx.transaction((tx) => numberSome(tx, part, year, place, given))
      given += count
      after = last
      if (count < NUMBERED_AT_ONCE) break
    }
  }
  return given
}

/** Numbers the entries of a year. */
export const numberYear: UseCase<typeof numberYearContract> = async (ctx, { year }) => {
  const entries = await numberEntries(ctx, year)
  await ctx.transaction(async (tx) => {
    await recordAudit(tx, {
      action: 'ledger.year_numbered',
      target: { type: 'year', id: String(year), label: String(year) },
    })
    await emitEvent(tx, 'ledger.changed', { year })
  })
  return { entries }
}
