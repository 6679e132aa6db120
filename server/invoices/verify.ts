/** Proofs over the books: numbers without gaps or doubles, and totals that are the sum of their lines. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Ctx } from '../ctx.ts'
import { totalsOf } from './content.ts'
import { contentOf, findInvoice } from './rows.ts'

export interface Proof {
  ok: boolean
  checked: number
  faults: string[]
}

const MAX_FAULTS = 20
const PAGE = 500

/** Each series: as many invoices as numbers given, from its start number to the last, none twice. */
export async function verifyNumbering(ctx: Ctx): Promise<Proof> {
  const rows = await ctx.db
    .selectFrom('series')
    .leftJoin('invoices', 'invoices.series_id', 'series.id')
    .select((eb) => [
      'series.code',
      'series.start_number',
      'series.next_number',
      eb.fn.count<number>('invoices.sequence').as('issued'),
      eb.fn.min('invoices.sequence').as('first'),
      eb.fn.max('invoices.sequence').as('last'),
    ])
    .where('series.book_id', '=', ctx.book.id)
    .groupBy('series.id')
    .execute()
  const faults: string[] = []
  let checked = 0
  for (const series of rows) {
    checked += series.issued
    const given = series.next_number - series.start_number
    if (series.issued !== given) faults.push(`${series.code}: ${given} numbers were given, ${series.issued} invoices have one.`)
    else if (given > 0 && (series.first !== series.start_number || series.last !== series.next_number - 1))
      faults.push(`${series.code}: numbers run from ${series.first} to ${series.last}, expected ${series.start_number} to ${series.next_number - 1}.`)
  }
  return { ok: faults.length === 0, checked, faults: faults.slice(0, MAX_FAULTS) }
}

/** Every issued invoice: its stored totals are those of its lines, and its breakdown adds up to them. */
export async function verifyTotals(ctx: Ctx): Promise<Proof> {
  const faults: string[] = []
  let checked = 0
  let after = 0
  for (;;) {
    const page = await ctx.db
      .selectFrom('invoices')
      .select(['id', 'public_id'])
      .where('book_id', '=', ctx.book.id)
      .where('id', '>', after)
      .where(sql<SqlBool>`state = 'issued'`)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, public_id } of page) {
      after = id
      checked += 1
      const row = await findInvoice(ctx, public_id)
      if (!row) continue
      const totals = totalsOf(await contentOf(ctx.db, row))
      const equal =
        totals.baseCents === row.base_cents &&
        totals.taxCents === row.tax_cents &&
        totals.totalCents === row.total_cents &&
        (totals.withholding?.amountCents ?? 0) === row.withholding_cents
      if (!equal) faults.push(`${row.number ?? row.public_id}: the lines add up to ${totals.totalCents} cents, the invoice says ${row.total_cents}.`)
    }
    if (page.length < PAGE || faults.length >= MAX_FAULTS) return { ok: faults.length === 0, checked, faults: faults.slice(0, MAX_FAULTS) }
  }
}
