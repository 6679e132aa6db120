/** SQL of the register of fixed assets. */
import { sql } from 'kysely'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { AssetsTable } from '../../db/schema.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import type { Booked, Terms } from './plan.ts'
import type { Proratas, VatGood } from './vat.ts'

export type AssetColumns = Selectable<AssetsTable>

/** Invoice with which an asset was bought, as far as the register needs it. */
interface Purchase {
  received_public_id: string | null
  received_number: string | null
  received_sequence: number | null
  received_year: number | null
  received_date: string | null
  received_state: 'entered' | 'void' | 'history' | null
  received_supplier: string | null
  received_nif: string | null
  received_id_type: AssetColumns['supplier_id_type']
  received_country: string | null
}

/** Invoice with which it was sold. */
interface Sale {
  sale_public_id: string | null
  sale_number: string | null
}

export type AssetRow = AssetColumns & Purchase & Sale

export interface BookingRow extends Booked {
  id: number
  ofDisposal: boolean
  by: string
}

const selectAssets = (db: Ctx['db']) =>
  db
    .selectFrom('assets')
    .leftJoin('received_invoices as purchase', 'purchase.id', 'assets.received_id')
    .leftJoin('invoices as sale', 'sale.id', 'assets.sale_invoice_id')
    .selectAll('assets')
    .select([
      'purchase.public_id as received_public_id',
      'purchase.supplier_number as received_number',
      'purchase.sequence as received_sequence',
      'purchase.year as received_year',
      'purchase.issue_date as received_date',
      'purchase.state as received_state',
      'purchase.supplier_name as received_supplier',
      'purchase.supplier_nif as received_nif',
      'purchase.supplier_id_type as received_id_type',
      'purchase.supplier_country as received_country',
      'sale.public_id as sale_public_id',
      'sale.number as sale_number',
    ])

const all = prepare((db, p: { bookId: number }) =>
  selectAssets(db).where('assets.book_id', '=', p.bookId).orderBy('assets.in_use_on').orderBy('assets.id'),
)

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  selectAssets(db).where('assets.book_id', '=', p.bookId).where('assets.public_id', '=', p.publicId),
)

/** Returns all assets of the book, by the day of their first use. */
export async function findAssets(ctx: Ctx): Promise<AssetRow[]> {
  return all.all(ctx.db, { bookId: ctx.book.id })
}

/** Returns one asset. Throws `not_found`. */
export async function findAsset(ctx: Ctx, publicId: string): Promise<AssetRow> {
  return orNotFound(await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

const bookings = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('asset_depreciations')
    .innerJoin('assets', 'assets.id', 'asset_depreciations.asset_id')
    .selectAll('asset_depreciations')
    .where('assets.book_id', '=', p.bookId)
    .orderBy('asset_depreciations.asset_id')
    .orderBy('asset_depreciations.from_day'),
)

/** What is booked of an asset, by day. */
type Bookings = ReadonlyMap<number, readonly BookingRow[]>

/** Returns what is booked of all assets. */
export async function findBookings(ctx: Ctx): Promise<Bookings> {
  const byAsset = new Map<number, BookingRow[]>()
  for (const row of await bookings.all(ctx.db, { bookId: ctx.book.id })) {
    const list = byAsset.get(row.asset_id) ?? []
    list.push({
      id: row.id,
      from: row.from_day,
      to: row.to_day,
      cents: row.cents,
      ofDisposal: row.of_disposal === 1,
      by: row.booked_by,
    })
    byAsset.set(row.asset_id, list)
  }
  return byAsset
}

export const costOf = (row: Pick<AssetColumns, 'base_cents' | 'vat_cents' | 'vat_deducted_cents'>): Cents =>
  row.base_cents + row.vat_cents - row.vat_deducted_cents

/** Returns what the amounts of a row follow from. */
export function termsOf(row: AssetColumns): Terms {
  return {
    costCents: costOf(row),
    residualCents: row.residual_cents,
    method: row.method,
    rateBp: row.rate_bp,
    years: row.years,
    inUseOn: row.in_use_on,
    priorUntil: row.prior_until,
    priorCents: row.prior_cents,
    priorOfYearCents: row.prior_year_cents,
    countedUntil: row.counted_until,
    countedCents: row.counted_cents,
    outOn: row.out_on,
  }
}

/** Returns what the regularisation of its VAT follows from. */
export function vatGoodOf(row: AssetColumns): VatGood {
  const year = (day: BusinessDate) => Number(day.slice(0, 4))
  return {
    kind: row.kind,
    baseCents: row.base_cents,
    vatCents: row.vat_cents,
    acquiredYear: year(row.acquired_on),
    inUseYear: year(row.in_use_on),
    sale:
      row.out_on === null || row.sale_vat === null
        ? null
        : { year: year(row.out_on), vat: row.sale_vat, vatCents: row.sale_vat_cents ?? 0 },
  }
}

export async function insertAsset(tx: Ctx, values: Insertable<AssetsTable>): Promise<number> {
  const { id } = await tx.db.insertInto('assets').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Changes a row and counts its version. */
export async function changeAsset(
  tx: Ctx,
  row: Pick<AssetColumns, 'id' | 'version'>,
  values: Updateable<AssetsTable>,
): Promise<void> {
  await tx.db
    .updateTable('assets')
    .set({ ...values, version: row.version + 1, updated_at: tx.now().getTime() })
    .where('id', '=', row.id)
    .execute()
}

export async function removeAsset(tx: Ctx, id: number): Promise<void> {
  await tx.db.deleteFrom('assets').where('id', '=', id).execute()
}

export async function insertBooking(
  tx: Ctx,
  assetId: number,
  { from, to, cents }: Booked,
  ofDisposal: boolean,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('asset_depreciations')
    .values({
      asset_id: assetId,
      from_day: from,
      to_day: to,
      cents,
      of_disposal: ofDisposal ? 1 : 0,
      booked_at: tx.now().getTime(),
      booked_by: tx.actor.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function removeBooking(tx: Ctx, id: number): Promise<void> {
  await tx.db.deleteFrom('asset_depreciations').where('id', '=', id).execute()
}

interface ProrataRow {
  year: number
  rateBp: BasisPoints
  by: string
}

/** Returns the final percentages that a person stated, by year. */
export async function findProratas(ctx: Ctx): Promise<ProrataRow[]> {
  const rows = await ctx.db
    .selectFrom('vat_proratas')
    .select(['year', 'rate_bp', 'stated_by'])
    .where('book_id', '=', ctx.book.id)
    .orderBy('year')
    .execute()
  return rows.map((row) => ({ year: row.year, rateBp: row.rate_bp, by: row.stated_by }))
}

export const proratasOf = (rows: readonly ProrataRow[]): Proratas =>
  new Map(rows.map(({ year, rateBp }) => [year, rateBp]))

/** Writes the percentage of a year; null removes it. */
export async function writeProrata(tx: Ctx, year: number, rateBp: BasisPoints | null): Promise<void> {
  await tx.db.deleteFrom('vat_proratas').where('book_id', '=', tx.book.id).where('year', '=', year).execute()
  if (rateBp === null) return
  await tx.db
    .insertInto('vat_proratas')
    .values({
      book_id: tx.book.id,
      year,
      rate_bp: rateBp,
      stated_at: tx.now().getTime(),
      stated_by: tx.actor.name,
    })
    .execute()
}

/** A line of a received invoice on an account of fixed assets, or marked as an investment good. */
interface GoodLine {
  receivedId: number
  receivedPublicId: string
  position: number
  number: string | null
  date: BusinessDate
  supplier: string
  description: string | null
  account: string
  baseCents: Cents
  vatCents: Cents
  vatBp: BasisPoints | null
  deductedCents: Cents
  inUseOn: BusinessDate
  isInvestment: boolean
}

const goodLines = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('received_lines as line')
    .innerJoin('received_invoices as invoice', 'invoice.id', 'line.received_id')
    .leftJoin('assets', (join) =>
      join
        .onRef('assets.received_id', '=', 'line.received_id')
        .onRef('assets.received_position', '=', 'line.position'),
    )
    .select([
      'invoice.id',
      'invoice.public_id',
      'line.position',
      'invoice.supplier_number',
      'invoice.issue_date',
      'invoice.operation_date',
      'invoice.reception_date',
      'invoice.supplier_name',
      'line.description',
      'line.account',
      'line.base_cents',
      'line.tax_cents',
      'line.surcharge_cents',
      'line.vat_rate_bp',
      'line.deductible_cents',
      'line.investment_good',
    ])
    .where('invoice.book_id', '=', p.bookId)
    .where('invoice.has_goods', '=', sql.lit(1))
    .where('invoice.state', '<>', 'void')
    .where('line.base_cents', '>', 0)
    .where((eb) =>
      eb.or([
        eb('line.investment_good', '=', 1),
        sql<boolean>`(line.account >= '20' and line.account < '23')`,
      ]),
    )
    .where('assets.id', 'is', null)
    .orderBy('invoice.issue_date', 'desc')
    .orderBy('invoice.id', 'desc')
    .orderBy('line.position')
    .limit(500),
)

/** Returns the goods bought of which there is no asset, newest first. */
export async function findGoodsWithoutAsset(ctx: Ctx): Promise<GoodLine[]> {
  return (await goodLines.all(ctx.db, { bookId: ctx.book.id })).map((row) => ({
    receivedId: row.id,
    receivedPublicId: row.public_id,
    position: row.position,
    number: row.supplier_number,
    date: row.issue_date,
    supplier: row.supplier_name,
    description: row.description,
    account: row.account,
    baseCents: row.base_cents,
    vatCents: row.tax_cents + row.surcharge_cents,
    vatBp: row.vat_rate_bp,
    deductedCents: row.deductible_cents,
    inUseOn: row.operation_date ?? row.reception_date,
    isInvestment: row.investment_good === 1,
  }))
}

/** Returns the row of a received invoice and whether it has the line. Throws `not_found`. */
export async function findReceivedLine(
  ctx: Ctx,
  publicId: string,
  position: number,
): Promise<{ id: number; hasLine: boolean }> {
  const row = orNotFound(
    await ctx.db
      .selectFrom('received_invoices')
      .leftJoin('received_lines', (join) =>
        join
          .onRef('received_lines.received_id', '=', 'received_invoices.id')
          .on('received_lines.position', '=', position),
      )
      .select(['received_invoices.id', 'received_lines.position'])
      .where('received_invoices.book_id', '=', ctx.book.id)
      .where('received_invoices.public_id', '=', publicId)
      .executeTakeFirst(),
  )
  return { id: row.id, hasLine: row.position !== null }
}

/** Returns the asset of a received line; null without one. */
export async function findAssetOfLine(
  ctx: Ctx,
  receivedId: number,
  position: number,
): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('assets')
    .select('public_id')
    .where('received_id', '=', receivedId)
    .where('received_position', '=', position)
    .executeTakeFirst()
  return row?.public_id ?? null
}

/** An issued invoice as a sale of an asset needs it. */
interface SaleInvoice {
  id: number
  baseCents: Cents
  taxCents: Cents
  isSale: boolean
  /** Account of income with the largest amount in its entry; null without an entry. */
  account: string | null
}

/** Returns the invoice of a sale. Throws `not_found`. */
export async function findSaleInvoice(ctx: Ctx, publicId: string, sourceType: number): Promise<SaleInvoice> {
  const row = orNotFound(
    await ctx.db
      .selectFrom('invoices')
      .select(['id', 'state', 'base_cents', 'tax_cents', 'cancelled_at'])
      .where('book_id', '=', ctx.book.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst(),
  )
  const line = await ctx.db
    .selectFrom('journal_entries')
    .innerJoin('journal_lines', 'journal_lines.entry_id', 'journal_entries.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .select('ledger_accounts.code')
    .where('journal_entries.source_type', '=', sourceType)
    .where('journal_entries.source_id', '=', row.id)
    .where('journal_lines.amount_cents', '<', 0)
    .where(sql<boolean>`(ledger_accounts.code >= '7' or ledger_accounts.code < '3')`)
    .orderBy('journal_lines.amount_cents')
    .limit(1)
    .executeTakeFirst()
  return {
    id: row.id,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    isSale: row.state !== 'draft' && row.cancelled_at === null,
    account: line?.code ?? null,
  }
}

/** Returns the identifiers of entries by their sources. */
export async function findEntryRows(
  ctx: Ctx,
  sourceType: number,
  sourceIds: readonly number[],
): Promise<Map<number, number>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('journal_entries')
    .select(['id', 'source_id'])
    .where('book_id', '=', ctx.book.id)
    .where('source_type', '=', sourceType)
    .where('source_id', 'in', sourceIds)
    .execute()
  return new Map(rows.flatMap(({ id, source_id }) => (source_id === null ? [] : [[source_id, id] as const])))
}
