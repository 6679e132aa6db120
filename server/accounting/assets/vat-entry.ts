/**
 * The entry of the VAT of investment goods that is regularised in a year, on its last day, so that the settlement of the
 * fourth quarter takes it with the return that declares it. Source: Plan General de Contabilidad (RD 1514/2007), part 3,
 * accounts 634 and 639: 6342 and 6392 are those of investments, against 472.
 */
import { sql } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { dayNumber, entryIdOf, postEntry, SOURCE_TYPES } from '../ledger/index.ts'
import type { EntryLine } from '../ledger/index.ts'
import type { bookVatAdjustmentContract } from './contract.ts'

const LESS = '6342'
const MORE = '6392'
export const INPUT_VAT = '472'

const lastDay = (year: number): string => `${year}-12-31`

interface BookedVat {
  entryIds: string[]
  /** Debits less credits by account. */
  sums: ReadonlyMap<string, Cents>
}

/** Returns what entries of the regularisation of a year book already. */
export async function bookedVat(ctx: Ctx, year: number): Promise<BookedVat> {
  const { rows } = await sql<{ id: number; code: string; cents: Cents }>`
    select e.id, a.code, sum(l.amount_cents) as cents from journal_entries e
      join journal_lines l on l.entry_id = e.id join ledger_accounts a on a.id = l.account_id
      where e.book_id = ${ctx.book.id} and e.day = ${dayNumber(lastDay(year))}
        and e.source_type = ${SOURCE_TYPES.vat_adjustment}
      group by e.id, a.code order by e.id`.execute(ctx.db)
  const sums = new Map<string, Cents>()
  for (const { code, cents } of rows) sums.set(code, (sums.get(code) ?? 0) + cents)
  return { entryIds: [...new Set(rows.map(({ id }) => entryIdOf(ctx.book, id)))], sums }
}

/** Returns the lines that are still to be booked of some amounts: positive ones add to what is deducted. */
export function vatLines(amounts: readonly Cents[], booked: ReadonlyMap<string, Cents>): EntryLine[] {
  const sum = (which: (cents: Cents) => boolean) =>
    amounts.reduce((total, cents) => (which(cents) ? total + cents : total), 0)
  const wanted = [
    { account: LESS, amountCents: -sum((cents) => cents < 0) },
    { account: MORE, amountCents: -sum((cents) => cents > 0) },
    { account: INPUT_VAT, amountCents: sum(() => true) },
  ]
  return wanted
    .map(({ account, amountCents }) => ({ account, amountCents: amountCents - (booked.get(account) ?? 0) }))
    .filter(({ amountCents }) => amountCents !== 0)
}

const refused = (code: string, message: string, fix: string, params: Fault['params'] = {}): Fault => ({
  code,
  field: 'year',
  severity: 'error',
  message,
  fix,
  params,
})

interface Standing {
  /** Cents of each good. */
  amounts: readonly Cents[]
  missingYears: readonly number[]
}

/**
 * Books the regularisation of a year; what is booked already, only its difference. `standing` returns what the goods come
 * to, and `answer` the view afterwards.
 */
export function createBookVat(
  standing: (ctx: Ctx, year: number) => Promise<Standing>,
  answer: (ctx: Ctx, year: number) => ReturnType<UseCase<typeof bookVatAdjustmentContract>>,
): UseCase<typeof bookVatAdjustmentContract> {
  return (ctx, { year, expectedTotal }) =>
    ctx.transaction(async (tx) => {
      const { amounts, missingYears } = await standing(tx, year)
      const faults: Fault[] = []
      if (lastDay(year) > tx.today())
        faults.push(
          refused(
            'asset_vat_early',
            'The year is not over: its final percentage is not known.',
            'Book it with the last return of the year.',
            { year },
          ),
        )
      if (missingYears.length > 0)
        faults.push(
          refused(
            'asset_vat_prorata_missing',
            'Final percentages are missing, so that some goods do not count.',
            'State them first.',
            { years: missingYears.join(', ') },
          ),
        )
      if (faults.length > 0) throw validationFailed(faults)
      const total = amounts.reduce((sum, cents) => sum + cents, 0)
      if (expectedTotal !== undefined && centsFromEuros(expectedTotal) !== total)
        throw new AppError('depreciation_changed', { details: { total: eurosFromCents(total) } })
      const { sums } = await bookedVat(tx, year)
      const lines = vatLines(amounts, sums)
      if (lines.length > 0) {
        const row = await postEntry(tx, {
          date: lastDay(year),
          source: { type: 'vat_adjustment', id: null },
          lines,
        })
        const entryId = entryIdOf(tx.book, row ?? 0)
        await recordAudit(tx, {
          action: 'asset.vat_booked',
          target: { type: 'entry', id: entryId, label: String(year) },
        })
        await emitEvent(tx, 'ledger.changed', { entryId })
        await emitEvent(tx, 'asset.changed', { year })
      }
      return answer(tx, year)
    })
}
