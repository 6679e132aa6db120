/** Deletes totals in which nothing is counted any more, after many documents were taken back at once. */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'

/**
 * Deletes the rows of the tax totals of the book that count no document and no amount, and the parties without totals.
 * Groups stay: they hold no amounts, and every server remembers their rows.
 */
export async function dropEmptyTotals(tx: Ctx): Promise<void> {
  const book = tx.book.id
  const inBook = sql`(select id from figure_groups where book_id = ${book})`
  await sql`delete from month_figures where documents = 0 and base_cents = 0 and tax_cents = 0 and surcharge_cents = 0
    and deductible_cents = 0 and income_cents = 0 and group_id in ${inBook}`.execute(tx.db)
  await sql`delete from period_totals where book_id = ${book} and documents = 0 and base_cents = 0 and tax_cents = 0
    and total_cents = 0 and income_cents = 0 and withheld_base_cents = 0 and withholding_cents = 0 and missing_nif = 0
    and without_file = 0`.execute(tx.db)
  await sql`delete from party_figures where book_id = ${book} and documents = 0 and base_cents = 0 and total_cents = 0
    and third_cents = 0`.execute(tx.db)
  await sql`delete from eu_figures where book_id = ${book} and documents = 0 and base_cents = 0`.execute(
    tx.db,
  )
  await sql`delete from withholding_figures where book_id = ${book} and documents = 0 and base_cents = 0
    and amount_cents = 0`.execute(tx.db)
  await sql`delete from figure_parties where book_id = ${book}
    and not exists (select 1 from party_figures where party_figures.party_id = figure_parties.id)
    and not exists (select 1 from eu_figures where eu_figures.party_id = figure_parties.id)
    and not exists (select 1 from withholding_figures where withholding_figures.party_id = figure_parties.id)`.execute(
    tx.db,
  )
}
