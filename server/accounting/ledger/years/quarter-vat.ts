/**
 * The entry that settles the VAT of one quarter from the movements of that quarter alone, with the amount carried
 * forward as the return applied it. `settleVat` clears what the accounts hold instead, whichever period it is of.
 */
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import type { AccountNames } from '../chart/own-names.ts'
import { dayNumber } from '../journal/days.ts'
import { entryIdOf } from '../journal/entry-id.ts'
import { postEntry } from '../journal/post.ts'
import { SOURCE_TYPES } from '../journal/sources.ts'
import { ACCOUNTS } from '../mapping/accounts.ts'
import type { EntryLine } from '../mapping/entry.ts'
import { isVatOfReturn, settlementOf, settlementOfMonths } from '../mapping/vat-settlement.ts'
import { monthsOf, periodOf, sumsOf } from '../reports/balances.ts'

export interface QuarterVat {
  /** Last day of the quarter, on which it is booked. */
  date: BusinessDate
  /** What no settlement has cleared; none when nothing is left. */
  lines: EntryLine[]
  /** Output VAT (477) and deductible input VAT (472) of the quarter, settled or not. */
  outputCents: Cents
  inputCents: Cents
  /** The settlements of the quarter that are booked already. */
  entryIds: string[]
  /** The first settlement of a later day: it may have cleared this quarter as well. */
  laterEntryId: string | null
}

interface QuarterRequest {
  year: number
  quarter: number
  /** Amount of earlier quarters that the return applied (box 78); it is taken off 4700. */
  appliedCents: Cents
  /**
   * What the returns of its months pay together, where there is more than one: the rest is in favour of the business, or taken
   * off what it had. Null for one return, whose amounts follow from the movements.
   */
  payableCents?: Cents | null
}

/**
 * Returns the entry that would settle the VAT of a quarter: debit of 477, credit of 472, and the difference to 4750 or
 * 4700. Without lines, nothing of the quarter is left in these accounts.
 */
export async function quarterVat(
  ctx: Ctx,
  { year, quarter, appliedCents, payableCents = null }: QuarterRequest,
): Promise<QuarterVat> {
  const period = periodOf({ year, quarter })
  const { first, last } = monthsOf(period)
  const movements = (await sumsOf(ctx, first, last))
    .filter(({ code }) => isVatOfReturn(code))
    .map(({ code, debitCents, creditCents }) => ({ account: code, amountCents: debitCents - creditCents }))
  const carried = { account: ACCOUNTS.vatRefundable, amountCents: appliedCents }
  const booked = await ctx.db
    .selectFrom('journal_entries')
    .select(['id', 'day'])
    .where('book_id', '=', ctx.book.id)
    .where('source_type', '=', SOURCE_TYPES.vat_settlement)
    // One that the closing of a year made has a source and belongs to its year.
    .where('source_id', 'is', null)
    .where('day', '>=', dayNumber(period.from))
    .orderBy('day')
    .orderBy('id')
    .execute()
  const lastDay = dayNumber(period.to)
  const own = booked.filter(({ day }) => day <= lastDay)
  const later = booked.find(({ day }) => day > lastDay)
  const { lines, outputCents, inputCents } =
    payableCents === null
      ? settlementOf([...movements, carried])
      : settlementOfMonths(movements, payableCents)
  const settled = await settledBy(
    ctx,
    own.map(({ id }) => id),
  )
  return {
    date: period.to,
    lines: movements.every(({ amountCents }) => amountCents === 0) ? [] : lines,
    outputCents: outputCents + settled.outputCents,
    inputCents: inputCents + settled.inputCents,
    entryIds: own.map(({ id }) => entryIdOf(ctx.book, id)),
    laterEntryId: later ? entryIdOf(ctx.book, later.id) : null,
  }
}

/** Returns the output and input VAT that some settlements have cleared. */
async function settledBy(
  ctx: Ctx,
  entries: readonly number[],
): Promise<{ outputCents: Cents; inputCents: Cents }> {
  const sums = { outputCents: 0, inputCents: 0 }
  if (entries.length === 0) return sums
  const rows = await ctx.db
    .selectFrom('journal_lines')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .select(['ledger_accounts.code', 'journal_lines.amount_cents'])
    .where('journal_lines.entry_id', 'in', entries)
    .execute()
  for (const { code, amount_cents: cents } of rows.filter((row) => isVatOfReturn(row.code)))
    if (code.startsWith('477')) sums.outputCents += cents
    else sums.inputCents -= cents
  return sums
}

/** Returns the lines of an entry with the names of their accounts, in euros. */
export function entryLineViews(lines: readonly EntryLine[], named: AccountNames) {
  return lines.map(({ account, amountCents }) => ({
    account,
    name: named(account),
    debit: eurosFromCents(Math.max(amountCents, 0)),
    credit: eurosFromCents(Math.max(-amountCents, 0)),
  }))
}

/**
 * Books the settlement of a quarter in the caller's transaction and returns its identifier. Throws `vat_entered` when
 * the quarter has a settlement, a later day has one, or nothing is left to settle; `period_locked` on a closed day.
 */
export async function bookQuarterVat(tx: Ctx, vat: QuarterVat): Promise<string> {
  const { date, lines } = vat
  const settled = vat.entryIds[0] ?? vat.laterEntryId
  if (settled !== null || lines.length === 0)
    throw new AppError('vat_entered', { details: { entryId: settled } })
  const row = await postEntry(tx, { date, source: { type: 'vat_settlement', id: null }, lines })
  const entryId = entryIdOf(tx.book, row ?? 0)
  await recordAudit(tx, {
    action: 'ledger.vat_settled',
    target: { type: 'entry', id: entryId, label: date },
  })
  await emitEvent(tx, 'ledger.changed', { entryId })
  return entryId
}
