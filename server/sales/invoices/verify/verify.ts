/** Verifies the books: numbers without gaps or duplicates, and totals that are the sum of their lines. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { gapsOfBook } from '../../../company/series/index.ts'
import { environmentOf } from '../../../company/index.ts'
import { centsToText } from '../../../domain/money.ts'
import { registeredAmounts } from '../../../registry/index.ts'
import { contentHash, seriesCodeOf, totalsOf } from '../content.ts'
import { partyFacts } from '../draft/parties.ts'
import { contentOf, findInvoice, findLines, findTaxes } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'
import { figureFaults } from './verify-totals.ts'

interface Proof {
  ok: boolean
  checked: number
  faults: string[]
}

const MAX_FAULTS = 20
const PAGE = 500
/**
 * Tolerance between an invoice and its first record: both are made in one transaction, and the record states whole
 * seconds.
 */
const ISSUE_MS = 60_000
/** Verifying this number takes about ten milliseconds. */
const TURN_EVERY = 20

/** Returns the numbers of each series that are used outside these books, and how many invoices have one of them. */
async function skippedNumbers(ctx: Ctx): Promise<Map<number, { skipped: number; used: number }>> {
  const bySeries = new Map<number, { skipped: number; used: number }>()
  for (const gap of await gapsOfBook(ctx)) {
    const { skipped, used } = bySeries.get(gap.seriesId) ?? { skipped: 0, used: 0 }
    const more = { skipped: skipped + gap.last - gap.first + 1, used: used + gap.invoices }
    bySeries.set(gap.seriesId, more)
  }
  return bySeries
}

/** Verifies each series: as many invoices as numbers issued here, from its start number to the last, none twice. */
export async function verifyNumbering(ctx: Ctx): Promise<Proof> {
  const elsewhere = await skippedNumbers(ctx)
  const rows = await ctx.db
    .selectFrom('series')
    .leftJoin('invoices', 'invoices.series_id', 'series.id')
    .select((eb) => [
      'series.id',
      'series.code',
      'series.start_number',
      'series.next_number',
      eb.fn.count<number>('invoices.sequence').as('issued'),
      sql<number>`count(distinct invoices.sequence)`.as('different'),
      eb.fn.min('invoices.sequence').as('first'),
      eb.fn.max('invoices.sequence').as('last'),
    ])
    .where('series.book_id', '=', ctx.book.id)
    // Quotes are numbered separately and are not invoices.
    .where('series.kind', '<>', 'quote')
    .groupBy('series.id')
    .execute()
  const faults: string[] = []
  let checked = 0
  for (const series of rows) {
    checked += series.issued
    const { skipped, used } = elsewhere.get(series.id) ?? { skipped: 0, used: 0 }
    const given = series.next_number - series.start_number - skipped
    if (used > 0) faults.push(`${series.code}: ${used} invoices have a number that was used elsewhere.`)
    else if (series.issued !== given)
      faults.push(`${series.code}: ${given} numbers were given, ${series.issued} invoices have one.`)
    else if (series.different !== given)
      faults.push(`${series.code}: ${series.issued} invoices share ${series.different} numbers.`)
    // As many different numbers as were issued, none outside the range: so none is missing inside it.
    else if (
      given > 0 &&
      ((series.first ?? 0) < series.start_number || (series.last ?? 0) > series.next_number - 1)
    )
      faults.push(
        `${series.code}: numbers run from ${series.first} to ${series.last}, expected ${series.start_number} to ${series.next_number - 1}.`,
      )
  }
  return { ok: faults.length === 0, checked, faults: faults.slice(0, MAX_FAULTS) }
}

/** Returns the fault of an issued invoice, or null: totals, lines, breakdown, and the hash over all that it shows. */
async function faultOf(ctx: Ctx, row: InvoiceRow): Promise<string | null> {
  const lines = await findLines(ctx.db, row.id)
  const content = await contentOf(ctx.db, row, { lines })
  const totals = totalsOf(content)
  const equalTotals =
    totals.baseCents === row.base_cents &&
    totals.taxCents === row.tax_cents &&
    totals.surchargeCents === row.surcharge_cents &&
    totals.disbursementsCents === row.disbursements_cents &&
    totals.totalCents === row.total_cents &&
    (totals.withholding?.baseCents ?? 0) === row.withholding_base_cents &&
    (totals.withholding?.amountCents ?? 0) === row.withholding_cents &&
    lines.every((line, index) => line.net_cents === totals.lineNetsCents[index])
  if (!equalTotals)
    return `its lines add up to ${totals.totalCents} cents, the invoice says ${row.total_cents}`
  const taxes = await findTaxes(ctx.db, row.id)
  const equalTaxes =
    taxes.length === totals.taxes.length &&
    totals.taxes.every((tax, index) => {
      const stored = taxes[index]
      return (
        stored !== undefined &&
        stored.tax_treatment === tax.taxTreatment &&
        stored.regime_key === tax.regimeKey &&
        stored.vat_rate_bp === tax.vatRateBp &&
        stored.base_cents === tax.baseCents &&
        stored.tax_cents === tax.taxCents &&
        stored.surcharge_bp === tax.surchargeRateBp &&
        stored.surcharge_cents === tax.surchargeCents
      )
    })
  if (!equalTaxes) return 'its breakdown is not that of its lines'
  if (row.issuer_id === null || row.issue_date === null || row.content_hash === null)
    return 'it lacks what an issue gives it'
  const hash = contentHash(content, totals, {
    issuer: await partyFacts(ctx.db, row.issuer_id),
    seriesCode: seriesCodeOf(content, ctx.book.mode, row.issue_date),
    issueDate: row.issue_date,
    environment: environmentOf(ctx),
  })
  if (!hash.equals(row.content_hash)) return 'its content is not what was issued'
  const registered = await registeredAmounts(ctx, row.id).catch(() => [])
  const [first] = registered
  if (first && Math.abs(first.generatedAt - (row.issued_at ?? 0)) > ISSUE_MS)
    return `its record ${first.sequence} was made at ${new Date(first.generatedAt).toISOString()}, the invoice says ${new Date(row.issued_at ?? 0).toISOString()}`
  const other = registered.find(
    ({ taxTotal, total }) =>
      taxTotal !== centsToText(totals.taxCents) || total !== centsToText(totals.registeredTotalCents),
  )
  return other ? `its record ${other.sequence} says ${other.total}, tax ${other.taxTotal}` : null
}

/**
 * Verifies every issued invoice: its stored totals are those of its lines, its breakdown adds up to them, and its
 * content is the one confirmed at issue. Also verifies that the tax totals of the book match its invoices in force.
 */
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
      // The store answers synchronously: a pause now and then lets other requests run.
      if (checked % TURN_EVERY === 0) await nextTurn()
      const row = await findInvoice(ctx, public_id)
      if (!row) continue
      const fault = await faultOf(ctx, row)
      if (fault) faults.push(`${row.number ?? row.public_id}: ${fault}.`)
    }
    if (page.length < PAGE || faults.length >= MAX_FAULTS) break
  }
  // The tax totals follow from the invoices: they are reported only when the invoices are right.
  if (faults.length === 0) faults.push(...(await figureFaults(ctx)))
  return { ok: faults.length === 0, checked, faults: faults.slice(0, MAX_FAULTS) }
}
