/** The SQL of invoices, their lines and their taxes; what runs on every request is prepared. */
import type { TaxTreatment, Totals } from '../core/totals.ts'
import type { Ctx } from '../ctx.ts'
import type { Db } from '../store/query.ts'
import { prepare } from '../store/query.ts'
import type { InvoiceRegistryStatus } from '../store/schema.ts'
import type { DraftContent, DraftLine } from './content.ts'
import type { InvoiceKind } from './contract.ts'
import { partyFacts } from './parties.ts'

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('invoices')
    .leftJoin('series', 'series.id', 'invoices.series_id')
    .leftJoin('contacts', 'contacts.id', 'invoices.contact_id')
    .selectAll('invoices')
    .select(['series.code as series_code', 'contacts.public_id as contact_public_id'])
    .where('invoices.book_id', '=', p.bookId)
    .where('invoices.public_id', '=', p.publicId),
)

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof byPublicId.first>>>

/** One invoice of the book by its public identifier. */
export function findInvoice(ctx: Ctx, publicId: string): Promise<InvoiceRow | undefined> {
  return byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })
}

const byNumber = prepare((db, p: { bookId: number; code: string; sequence: number }) =>
  db
    .selectFrom('series')
    .innerJoin('invoices', (join) =>
      join.onRef('invoices.series_id', '=', 'series.id').on('invoices.sequence', '=', p.sequence),
    )
    .select(['invoices.public_id', 'invoices.number'])
    .where('series.book_id', '=', p.bookId)
    .where('series.code', '=', p.code),
)

/** Public identifiers of the invoices with a printed number; the last hyphen parts the series from the sequence. */
export async function findByNumber(ctx: Ctx, number: string): Promise<string[]> {
  const match = /^(.+)-(\d{1,9})$/.exec(number.trim())
  if (!match) return []
  const rows = await byNumber.all(ctx.db, {
    bookId: ctx.book.id,
    code: match[1] ?? '',
    sequence: Number(match[2]),
  })
  return rows.map((row) => row.public_id)
}

const publicIdOf = prepare((db, p: { id: number }) =>
  db.selectFrom('invoices').select(['public_id', 'number']).where('id', '=', p.id),
)

/** The outside name of a row. */
export async function invoiceName(db: Db, id: number): Promise<{ publicId: string; number: string | null }> {
  const row = await publicIdOf.first(db, { id })
  if (!row) throw new Error(`Invoice ${id} is missing.`)
  return { publicId: row.public_id, number: row.number }
}

const linesOf = prepare((db, p: { invoiceId: number }) =>
  db.selectFrom('invoice_lines').selectAll().where('invoice_id', '=', p.invoiceId).orderBy('position'),
)
const taxesOf = prepare((db, p: { invoiceId: number }) =>
  db.selectFrom('invoice_taxes').selectAll().where('invoice_id', '=', p.invoiceId).orderBy('position'),
)

export type LineRow = Awaited<ReturnType<typeof linesOf.all>>[number]
export type TaxRow = Awaited<ReturnType<typeof taxesOf.all>>[number]

export function findLines(db: Db, invoiceId: number): Promise<LineRow[]> {
  return linesOf.all(db, { invoiceId })
}

export function findTaxes(db: Db, invoiceId: number): Promise<TaxRow[]> {
  return taxesOf.all(db, { invoiceId })
}

function lineOf(row: LineRow): DraftLine {
  return {
    description: row.description,
    quantityMicro: row.quantity_micro,
    unit: row.unit,
    unitPriceMicro: row.unit_price_micro,
    discountBp: row.discount_bp,
    taxTreatment: row.tax_treatment,
    regimeKey: row.regime_key,
    vatRateBp: row.vat_rate_bp,
    surchargeRateBp: row.surcharge_bp,
    withholdable: row.withholdable === 1,
    isDisbursement: row.is_disbursement === 1,
  }
}

/** The content of an invoice as it was composed. */
export async function contentOf(db: Db, row: InvoiceRow, lines?: readonly LineRow[]): Promise<DraftContent> {
  const lineRows = lines ?? (await findLines(db, row.id))
  return {
    kind: row.kind,
    seriesCode: row.series_code,
    issueDate: row.issue_date,
    operationDate: row.operation_date,
    dueDate: row.due_date,
    client: await partyFacts(db, row.party_id),
    contactId: row.contact_public_id,
    priceMode: row.price_mode,
    withholdingBp: row.withholding_bp,
    lines: lineRows.map(lineOf),
    simplifiedArt7273: row.simplified_art7273 === 1,
    notes: row.notes,
    language: row.language,
    paymentMethod: row.payment_method,
    externalRef: row.external_ref,
  }
}

interface DraftValues {
  bookId: number
  publicId: string
  kind: InvoiceKind
  seriesId: number | null
  issueDate: string | null
  listDate: string
  operationDate: string | null
  dueDate: string | null
  partyId: number
  contactId: number | null
  priceMode: 'net' | 'gross'
  baseCents: number
  taxCents: number
  surchargeCents: number
  disbursementsCents: number
  totalCents: number
  withholdingBp: number | null
  withholdingBaseCents: number
  withholdingCents: number
  simplifiedArt7273: number
  notes: string | null
  language: 'es' | 'en'
  paymentMethod: string | null
  externalRef: string | null
  createdAt: number
}

const columns = (p: DraftValues) => ({
  kind: p.kind,
  series_id: p.seriesId,
  issue_date: p.issueDate,
  list_date: p.listDate,
  operation_date: p.operationDate,
  due_date: p.dueDate,
  party_id: p.partyId,
  contact_id: p.contactId,
  price_mode: p.priceMode,
  base_cents: p.baseCents,
  tax_cents: p.taxCents,
  surcharge_cents: p.surchargeCents,
  disbursements_cents: p.disbursementsCents,
  total_cents: p.totalCents,
  withholding_bp: p.withholdingBp,
  withholding_base_cents: p.withholdingBaseCents,
  withholding_cents: p.withholdingCents,
  simplified_art7273: p.simplifiedArt7273,
  notes: p.notes,
  language: p.language,
  payment_method: p.paymentMethod,
  external_ref: p.externalRef,
})

const insertDraft = prepare((db, p: DraftValues) =>
  db.insertInto('invoices').values({
    ...columns(p),
    book_id: p.bookId,
    public_id: p.publicId,
    state: 'draft',
    registry_status: 'not_issued',
    created_at: p.createdAt,
  }),
)

const updateDraft = prepare((db, p: DraftValues & { id: number; version: number }) =>
  db
    .updateTable('invoices')
    .set((eb) => ({ ...columns(p), version: eb('version', '+', 1) }))
    .where('id', '=', p.id)
    .where('version', '=', p.version)
    .where('state', '=', 'draft'),
)

interface LineValues {
  invoiceId: number
  position: number
  description: string
  quantityMicro: number
  unit: string | null
  unitPriceMicro: number
  discountBp: number
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: number | null
  surchargeRateBp: number | null
  withholdable: number
  isDisbursement: number
  netCents: number
}

const insertLine = prepare((db, p: LineValues) =>
  db.insertInto('invoice_lines').values({
    invoice_id: p.invoiceId,
    position: p.position,
    description: p.description,
    quantity_micro: p.quantityMicro,
    unit: p.unit,
    unit_price_micro: p.unitPriceMicro,
    discount_bp: p.discountBp,
    tax_treatment: p.taxTreatment,
    regime_key: p.regimeKey,
    vat_rate_bp: p.vatRateBp,
    surcharge_bp: p.surchargeRateBp,
    withholdable: p.withholdable,
    is_disbursement: p.isDisbursement,
    net_cents: p.netCents,
  }),
)

interface TaxValues {
  invoiceId: number
  position: number
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: number | null
  baseCents: number
  taxCents: number
  surchargeRateBp: number | null
  surchargeCents: number
}

const insertTax = prepare((db, p: TaxValues) =>
  db.insertInto('invoice_taxes').values({
    invoice_id: p.invoiceId,
    position: p.position,
    tax_treatment: p.taxTreatment,
    regime_key: p.regimeKey,
    vat_rate_bp: p.vatRateBp,
    base_cents: p.baseCents,
    tax_cents: p.taxCents,
    surcharge_bp: p.surchargeRateBp,
    surcharge_cents: p.surchargeCents,
  }),
)

const deleteLines = prepare((db, p: { invoiceId: number }) =>
  db.deleteFrom('invoice_lines').where('invoice_id', '=', p.invoiceId),
)
const deleteTaxes = prepare((db, p: { invoiceId: number }) =>
  db.deleteFrom('invoice_taxes').where('invoice_id', '=', p.invoiceId),
)

/** Resolved references of a content: rows instead of names. */
export interface DraftReferences {
  partyId: number
  contactRowId: number | null
  seriesId: number | null
}

function draftValues(
  ctx: Ctx,
  content: DraftContent,
  totals: Totals,
  references: DraftReferences,
  publicId: string,
  listDate: string,
): DraftValues {
  return {
    bookId: ctx.book.id,
    publicId,
    kind: content.kind,
    seriesId: references.seriesId,
    issueDate: content.issueDate,
    listDate,
    operationDate: content.operationDate,
    dueDate: content.dueDate,
    partyId: references.partyId,
    contactId: references.contactRowId,
    priceMode: content.priceMode,
    baseCents: totals.baseCents,
    taxCents: totals.taxCents,
    surchargeCents: totals.surchargeCents,
    disbursementsCents: totals.disbursementsCents,
    totalCents: totals.totalCents,
    withholdingBp: content.withholdingBp,
    withholdingBaseCents: totals.withholding?.baseCents ?? 0,
    withholdingCents: totals.withholding?.amountCents ?? 0,
    simplifiedArt7273: content.simplifiedArt7273 ? 1 : 0,
    notes: content.notes,
    language: content.language,
    paymentMethod: content.paymentMethod,
    externalRef: content.externalRef,
    createdAt: ctx.now().getTime(),
  }
}

async function writeParts(ctx: Ctx, invoiceId: number, content: DraftContent, totals: Totals): Promise<void> {
  for (const [position, line] of content.lines.entries()) {
    await insertLine.run(ctx.db, {
      ...line,
      invoiceId,
      position,
      withholdable: line.withholdable ? 1 : 0,
      isDisbursement: line.isDisbursement ? 1 : 0,
      netCents: totals.lineNetsCents[position] ?? 0,
    })
  }
  for (const [position, tax] of totals.taxes.entries())
    await insertTax.run(ctx.db, { ...tax, invoiceId, position })
}

/** Writes a new draft; answers its row id. */
export async function writeNewDraft(
  ctx: Ctx,
  publicId: string,
  content: DraftContent,
  totals: Totals,
  references: DraftReferences,
): Promise<number> {
  const { insertId } = await insertDraft.run(
    ctx.db,
    draftValues(ctx, content, totals, references, publicId, ctx.today()),
  )
  await writeParts(ctx, insertId, content, totals)
  return insertId
}

/** Replaces a draft's content if it still has that version; false when it has not. */
export async function rewriteDraft(
  ctx: Ctx,
  row: InvoiceRow,
  content: DraftContent,
  totals: Totals,
  references: DraftReferences,
): Promise<boolean> {
  const values = draftValues(ctx, content, totals, references, row.public_id, row.list_date)
  const { changes } = await updateDraft.run(ctx.db, { ...values, id: row.id, version: row.version })
  if (changes !== 1) return false
  await deleteLines.run(ctx.db, { invoiceId: row.id })
  await deleteTaxes.run(ctx.db, { invoiceId: row.id })
  await writeParts(ctx, row.id, content, totals)
  return true
}

interface IssueValues {
  id: number
  version: number
  seriesId: number
  sequence: number
  number: string
  issueDate: string
  issuerId: number
  isOwed: number
  registryStatus: InvoiceRegistryStatus
  contentHash: Uint8Array
  issuedAt: number
}

const markIssuedQuery = prepare((db, p: IssueValues) =>
  db
    .updateTable('invoices')
    .set({
      state: 'issued',
      series_id: p.seriesId,
      sequence: p.sequence,
      number: p.number,
      issue_date: p.issueDate,
      list_date: p.issueDate,
      issuer_id: p.issuerId,
      is_owed: p.isOwed,
      registry_status: p.registryStatus,
      content_hash: p.contentHash,
      issued_at: p.issuedAt,
    })
    .where('id', '=', p.id)
    .where('version', '=', p.version)
    .where('state', '=', 'draft'),
)

/** Turns a draft into an issued invoice; from here on the triggers freeze it. False when it changed meanwhile. */
export async function markIssued(ctx: Ctx, values: IssueValues): Promise<boolean> {
  return (await markIssuedQuery.run(ctx.db, values)).changes === 1
}

const countRecords = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('registry_records')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('invoice_id', '=', p.invoiceId),
)

/** How many registry records an invoice has: it grows with each annulment and amendment. */
export async function recordCount(ctx: Ctx, invoiceId: number): Promise<number> {
  return (await countRecords.first(ctx.db, { invoiceId }))?.records ?? 0
}

const setStatus = prepare((db, p: { id: number; status: InvoiceRegistryStatus }) =>
  db.updateTable('invoices').set({ registry_status: p.status }).where('id', '=', p.id),
)

/** Keeps the invoice's copy of its registration's state, by which lists filter. */
export async function setRegistryStatus(ctx: Ctx, id: number, status: InvoiceRegistryStatus): Promise<void> {
  await setStatus.run(ctx.db, { id, status })
}

const setAnnulment = prepare((db, p: { id: number; cancelledAt: number | null; isOwed: number }) =>
  db
    .updateTable('invoices')
    .set({ cancelled_at: p.cancelledAt, is_owed: p.isOwed })
    .where('id', '=', p.id)
    .where('state', '=', 'issued'),
)

/** Marks an issued invoice as annulled: nothing of it is owed any more. */
export async function markAnnulled(ctx: Ctx, id: number): Promise<void> {
  await setAnnulment.run(ctx.db, { id, cancelledAt: ctx.now().getTime(), isOwed: 0 })
}

/** Brings an annulled invoice back into force, with what is still to be paid of it. */
export async function markReactivated(ctx: Ctx, row: InvoiceRow): Promise<void> {
  const isOwed = row.total_cents - row.withholding_cents - row.paid_cents > 0 ? 1 : 0
  await setAnnulment.run(ctx.db, { id: row.id, cancelledAt: null, isOwed })
}

interface MonthTaxValues {
  bookId: number
  month: string
  taxTreatment: TaxTreatment
  vatRateBp: number
  surchargeBp: number
  baseCents: number
  taxCents: number
  surchargeCents: number
}

const addMonthTax = prepare((db, p: MonthTaxValues) =>
  db
    .insertInto('month_taxes')
    .values({
      book_id: p.bookId,
      month: p.month,
      tax_treatment: p.taxTreatment,
      vat_rate_bp: p.vatRateBp,
      surcharge_bp: p.surchargeBp,
      base_cents: p.baseCents,
      tax_cents: p.taxCents,
      surcharge_cents: p.surchargeCents,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['book_id', 'month', 'tax_treatment', 'vat_rate_bp', 'surcharge_bp'])
        .doUpdateSet((eb) => ({
          base_cents: eb('month_taxes.base_cents', '+', eb.ref('excluded.base_cents')),
          tax_cents: eb('month_taxes.tax_cents', '+', eb.ref('excluded.tax_cents')),
          surcharge_cents: eb('month_taxes.surcharge_cents', '+', eb.ref('excluded.surcharge_cents')),
        })),
    ),
)

const addMonthTotal = prepare(
  (
    db,
    p: {
      bookId: number
      month: string
      invoices: number
      baseCents: number
      totalCents: number
      withholdingCents: number
    },
  ) =>
    db
      .insertInto('month_totals')
      .values({
        book_id: p.bookId,
        month: p.month,
        invoices: p.invoices,
        base_cents: p.baseCents,
        total_cents: p.totalCents,
        withholding_cents: p.withholdingCents,
      })
      .onConflict((conflict) =>
        conflict.columns(['book_id', 'month']).doUpdateSet((eb) => ({
          invoices: eb('month_totals.invoices', '+', eb.ref('excluded.invoices')),
          base_cents: eb('month_totals.base_cents', '+', eb.ref('excluded.base_cents')),
          total_cents: eb('month_totals.total_cents', '+', eb.ref('excluded.total_cents')),
          withholding_cents: eb('month_totals.withholding_cents', '+', eb.ref('excluded.withholding_cents')),
        })),
      ),
)

/** The day whose month an invoice counts in: that of the operation, else that of its issue. */
export function accrualDate(invoice: { operationDate: string | null; issueDate: string }): string {
  return invoice.operationDate ?? invoice.issueDate
}

/**
 * Counts an invoice in the figures of its month of accrual: in with its issue (1), out with its annulment (-1). One
 * function for both, so that what comes in is what goes out.
 */
export async function countInMonth(ctx: Ctx, date: string, totals: Totals, times: 1 | -1): Promise<void> {
  const month = date.slice(0, 7)
  for (const tax of totals.taxes) {
    await addMonthTax.run(ctx.db, {
      bookId: ctx.book.id,
      month,
      taxTreatment: tax.taxTreatment,
      vatRateBp: tax.vatRateBp ?? -1,
      surchargeBp: tax.surchargeRateBp ?? -1,
      baseCents: times * tax.baseCents,
      taxCents: times * tax.taxCents,
      surchargeCents: times * tax.surchargeCents,
    })
  }
  await addMonthTotal.run(ctx.db, {
    bookId: ctx.book.id,
    month,
    invoices: times,
    baseCents: times * totals.baseCents,
    totalCents: times * totals.totalCents,
    withholdingCents: times * (totals.withholding?.amountCents ?? 0),
  })
}
