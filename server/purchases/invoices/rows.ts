/** Rows of received invoices: the slice's own SQL, and the conversion between rows and content. */
import type { Selectable } from 'kysely'
import type { IdType } from '../../catalog/contacts/contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { searchText } from '../../domain/text.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import type { ReceivedInvoicesTable, ReceivedLinesTable } from '../../db/schema.ts'
import { receptionNumber, sumsOf } from './content.ts'
import type { ReceivedContent, ReceivedLine } from './content.ts'
import { receivedHeader } from './fields.ts'

export type ReceivedRow = Selectable<ReceivedInvoicesTable>
type LineRow = Selectable<ReceivedLinesTable>

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('received_invoices')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

const byNumber = prepare((db, p: { bookId: number; year: number; sequence: number }) =>
  db
    .selectFrom('received_invoices')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('year', '=', p.year)
    .where('sequence', '=', p.sequence),
)

const byRow = prepare((db, p: { id: number; bookId: number }) =>
  db.selectFrom('received_invoices').selectAll().where('id', '=', p.id).where('book_id', '=', p.bookId),
)

const lastOfYear = prepare((db, p: { bookId: number; year: number }) =>
  db
    .selectFrom('received_invoices')
    .select('sequence')
    .where('book_id', '=', p.bookId)
    .where('year', '=', p.year)
    .where('sequence', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(1),
)

const linesOfRow = prepare((db, p: { id: number }) =>
  db.selectFrom('received_lines').selectAll().where('received_id', '=', p.id).orderBy('position'),
)

const sameNumber = prepare((db, p: { bookId: number; numberKey: string; issueDate: string }) =>
  db
    .selectFrom('received_invoices')
    .select(['id', 'public_id', 'year', 'sequence', 'supplier_name', 'supplier_nif'])
    .where('book_id', '=', p.bookId)
    .where('number_key', '=', p.numberKey)
    .where('number_key', '<>', '')
    .where('issue_date', '=', p.issueDate)
    .where('state', '<>', 'void'),
)

const lastOfSupplier = prepare((db, p: { bookId: number; nif: string }) =>
  db
    .selectFrom('received_invoices')
    .select(['id', 'concept'])
    .where('book_id', '=', p.bookId)
    .where('supplier_nif', '=', p.nif)
    .where('state', '<>', 'void')
    .orderBy('reception_date', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

/** Returns a received invoice by its identifier or its reception number, or null. */
export async function findReceived(ctx: Ctx, idOrNumber: string): Promise<ReceivedRow | null> {
  const number = /^(\d{4})-(\d{1,9})$/.exec(idOrNumber)
  const bookId = ctx.book.id
  const row = number
    ? await byNumber.first(ctx.db, { bookId, year: Number(number[1]), sequence: Number(number[2]) })
    : await byPublicId.first(ctx.db, { bookId, publicId: idOrNumber })
  return row ?? null
}

/** Returns a received invoice of the book by its row, or null. */
export async function findReceivedByRow(ctx: Ctx, id: number): Promise<ReceivedRow | null> {
  return (await byRow.first(ctx.db, { id, bookId: ctx.book.id })) ?? null
}

/**
 * Returns the next number of a year. Called in the transaction that uses it: there is one writer, so no gap and no
 * duplicate.
 */
async function nextSequence(ctx: Ctx, year: number): Promise<number> {
  return ((await lastOfYear.first(ctx.db, { bookId: ctx.book.id, year }))?.sequence ?? 0) + 1
}

/** Normalizes a supplier's number for comparison, without blanks and case; '' for none. */
export function supplierNumberKey(text: string | null): string {
  return (text ?? '').toUpperCase().replace(/\s+/g, '')
}

/** Returns the entered invoice of the same supplier, number and date, or null. */
export async function findDuplicate(
  ctx: Ctx,
  content: Pick<ReceivedContent, 'supplierNumber' | 'issueDate'> & {
    supplier: Pick<ReceivedContent['supplier'], 'nif' | 'name'>
  },
  exceptRowId: number | null = null,
): Promise<{ id: string; receptionNumber: string } | null> {
  const number = supplierNumberKey(content.supplierNumber)
  if (number === '') return null
  const name = searchText(content.supplier.name)
  const rows = await sameNumber.all(ctx.db, {
    bookId: ctx.book.id,
    numberKey: number,
    issueDate: content.issueDate,
  })
  const twin = rows.find(
    (row) =>
      row.id !== exceptRowId &&
      (content.supplier.nif !== null && row.supplier_nif !== null
        ? row.supplier_nif === content.supplier.nif
        : searchText(row.supplier_name) === name),
  )
  return twin ? { id: twin.public_id, receptionNumber: receptionNumber(twin.year, twin.sequence) } : null
}

/** Returns the concept and account of this supplier's last invoice. */
export async function usualOf(
  ctx: Ctx,
  nif: string | null,
): Promise<{ concept: string; account: string | null } | null> {
  if (nif === null) return null
  const row = await lastOfSupplier.first(ctx.db, { bookId: ctx.book.id, nif })
  if (!row) return null
  const [line] = await linesOfRow.all(ctx.db, { id: row.id })
  return { concept: row.concept, account: line?.account ?? null }
}

/** Whether a fixed asset may come from a line: as the accounts of the group 2 without those in progress say. */
const mayBeAsset = ({ baseCents, investmentGood, account }: ReceivedLine): boolean =>
  baseCents > 0 && (investmentGood || (account >= '20' && account < '23'))

/** Returns the columns that follow from a content. */
function columnsOf(content: ReceivedContent) {
  const sums = sumsOf(content)
  const { supplier, withholding, property } = content
  return {
    ...receivedHeader.toColumns(content),
    contact_id: content.contactId,
    supplier_name: supplier.name,
    supplier_nif: supplier.nif,
    supplier_nif_written: supplier.nifWritten,
    supplier_id_type: supplier.idType,
    supplier_country: supplier.country,
    supplier_street: supplier.street,
    supplier_postal_code: supplier.postalCode,
    supplier_city: supplier.city,
    supplier_province: supplier.province,
    number_key: supplierNumberKey(content.supplierNumber),
    deduction_date: content.deductionDate,
    base_cents: sums.baseCents,
    tax_cents: sums.taxCents,
    surcharge_cents: sums.surchargeCents,
    self_assessed_cents: sums.selfAssessedCents,
    deductible_cents: sums.deductibleCents,
    total_cents: sums.totalCents,
    withholding_bp: withholding?.rateBp ?? null,
    withholding_base_cents: withholding?.baseCents ?? 0,
    withholding_cents: withholding?.amountCents ?? 0,
    withholding_reason: withholding?.reason ?? null,
    payable_cents: sums.payableCents,
    fx_rate_micro: content.fxRateMicro,
    currency_total_cents: sums.currencyTotalCents,
    property_situation: property?.situation ?? null,
    cadastral_reference: property?.cadastralReference ?? null,
    rectifies: content.rectifies.length === 0 ? null : JSON.stringify(content.rectifies),
    has_goods: content.lines.some(mayBeAsset) ? 1 : 0,
    search: searchText(
      [supplier.name, supplier.nif, supplier.nifWritten, content.supplierNumber].filter(Boolean).join(' '),
    ),
  }
}

async function writeLines(ctx: Ctx, id: number, lines: readonly ReceivedLine[]): Promise<void> {
  await ctx.db
    .insertInto('received_lines')
    .values(
      lines.map((line, position) => ({
        received_id: id,
        position,
        description: line.description,
        tax_treatment: line.taxTreatment,
        nature: line.nature,
        regime_key: line.regimeKey,
        vat_rate_bp: line.vatRateBp,
        base_cents: line.baseCents,
        tax_cents: line.taxCents,
        self_assessed: line.selfAssessed ? 1 : 0,
        surcharge_bp: line.surchargeRateBp,
        surcharge_cents: line.surchargeCents,
        deductible_bp: line.deductibleBp,
        deductible_cents: line.deductibleCents,
        concept: line.concept,
        account: line.account,
        investment_good: line.investmentGood ? 1 : 0,
        document_base_cents: line.documentBaseCents,
        document_tax_cents: line.documentTaxCents,
        document_surcharge_cents: line.documentSurchargeCents,
      })),
    )
    .execute()
}

const owed = (payableCents: number, paidCents: number): number => (payableCents - paidCents > 0 ? 1 : 0)

/** Inserts a received invoice with the next number of its year. Returns its row. */
export async function insertReceived(ctx: Ctx, content: ReceivedContent): Promise<ReceivedRow> {
  const columns = columnsOf(content)
  const year = Number(content.receptionDate.slice(0, 4))
  const now = ctx.now().getTime()
  const { id } = await ctx.db
    .insertInto('received_invoices')
    .values({
      ...columns,
      book_id: ctx.book.id,
      public_id: ctx.newId('rin'),
      year,
      sequence: await nextSequence(ctx, year),
      state: 'entered',
      is_owed: owed(columns.payable_cents, 0),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeLines(ctx, id, content.lines)
  return mustFind(ctx, id)
}

/**
 * Inserts a document of an earlier program, whose payable amount is what was left open there; with payments under cash
 * accounting, all of it. Returns its row id.
 */
export async function insertHistoryRow(
  ctx: Ctx,
  content: ReceivedContent,
  { openCents, search }: { openCents: number; search: string },
): Promise<number> {
  const columns = columnsOf(content)
  const now = ctx.now().getTime()
  const payableCents = content.cashAccounting ? columns.payable_cents : openCents
  const { id } = await ctx.db
    .insertInto('received_invoices')
    .values({
      ...columns,
      payable_cents: payableCents,
      search,
      book_id: ctx.book.id,
      public_id: ctx.newId('rin'),
      year: Number(content.receptionDate.slice(0, 4)),
      sequence: null,
      state: 'history',
      is_owed: owed(payableCents, 0),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeLines(ctx, id, content.lines)
  return id
}

async function mustFind(ctx: Ctx, id: number): Promise<ReceivedRow> {
  const row = await findReceivedByRow(ctx, id)
  if (!row) throw new Error(`Received invoice ${id} is missing.`)
  return row
}

/** Replaces the content of a received invoice; its number and payments stay. */
export async function rewriteReceived(
  ctx: Ctx,
  before: ReceivedRow,
  content: ReceivedContent,
): Promise<ReceivedRow> {
  const columns = columnsOf(content)
  await ctx.db
    .updateTable('received_invoices')
    .set({
      ...columns,
      is_owed: owed(columns.payable_cents, before.paid_cents),
      version: before.version + 1,
      updated_at: ctx.now().getTime(),
    })
    .where('id', '=', before.id)
    .execute()
  await ctx.db.deleteFrom('received_lines').where('received_id', '=', before.id).execute()
  await writeLines(ctx, before.id, content.lines)
  return mustFind(ctx, before.id)
}

/** Voids a received invoice; its row and number stay. */
export async function markVoid(ctx: Ctx, row: ReceivedRow): Promise<ReceivedRow> {
  const now = ctx.now().getTime()
  await ctx.db
    .updateTable('received_invoices')
    .set({ state: 'void', is_owed: 0, voided_at: now, updated_at: now, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute()
  return mustFind(ctx, row.id)
}

/** Restores a void received invoice; nothing but its state changes. */
export async function markEntered(ctx: Ctx, row: ReceivedRow): Promise<ReceivedRow> {
  await ctx.db
    .updateTable('received_invoices')
    .set({
      state: 'entered',
      is_owed: owed(row.payable_cents, 0),
      voided_at: null,
      updated_at: ctx.now().getTime(),
      version: row.version + 1,
    })
    .where('id', '=', row.id)
    .execute()
  return mustFind(ctx, row.id)
}

const setPaid = prepare((db, p: { id: number; paidCents: number; isOwed: number }) =>
  db
    .updateTable('received_invoices')
    .set({ paid_cents: p.paidCents, is_owed: p.isOwed })
    .where('id', '=', p.id),
)

/** Writes the paid amount of a received invoice. */
export async function writePaid(ctx: Ctx, row: ReceivedRow, paidCents: number): Promise<void> {
  await setPaid.run(ctx.db, { id: row.id, paidCents, isOwed: owed(row.payable_cents, paidCents) })
}

/** Writes the number of attached files; with a version of its own unless it is part of another change. */
export async function writeFileCount(
  ctx: Ctx,
  row: ReceivedRow,
  files: number,
  version = row.version + 1,
): Promise<ReceivedRow> {
  await ctx.db
    .updateTable('received_invoices')
    .set({ files, version, updated_at: ctx.now().getTime() })
    .where('id', '=', row.id)
    .execute()
  return mustFind(ctx, row.id)
}

function lineOf(row: LineRow): ReceivedLine {
  return {
    description: row.description,
    taxTreatment: row.tax_treatment,
    nature: row.nature,
    regimeKey: row.regime_key,
    vatRateBp: row.vat_rate_bp,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    selfAssessed: row.self_assessed === 1,
    surchargeRateBp: row.surcharge_bp,
    surchargeCents: row.surcharge_cents,
    deductibleBp: row.deductible_bp,
    deductibleCents: row.deductible_cents,
    concept: row.concept,
    account: row.account,
    investmentGood: row.investment_good === 1,
    documentBaseCents: row.document_base_cents,
    documentTaxCents: row.document_tax_cents,
    documentSurchargeCents: row.document_surcharge_cents,
  }
}

/** Reads the content of a row and its lines. */
export async function contentOfReceived(db: Db, row: ReceivedRow): Promise<ReceivedContent> {
  const lines = await linesOfRow.all(db, { id: row.id })
  return {
    ...receivedHeader.ofRow(row),
    contactId: row.contact_id,
    supplier: {
      name: row.supplier_name,
      nif: row.supplier_nif,
      nifWritten: row.supplier_nif_written,
      idType: row.supplier_id_type as IdType | null,
      country: row.supplier_country,
      street: row.supplier_street,
      postalCode: row.supplier_postal_code,
      city: row.supplier_city,
      province: row.supplier_province,
    },
    deductionDate: row.deduction_date,
    lines: lines.map(lineOf),
    withholding:
      row.withholding_bp === null
        ? null
        : {
            rateBp: row.withholding_bp,
            baseCents: row.withholding_base_cents,
            amountCents: row.withholding_cents,
            reason: row.withholding_reason ?? 'other',
          },
    fxRateMicro: row.fx_rate_micro,
    property:
      row.property_situation === null
        ? null
        : { situation: row.property_situation, cadastralReference: row.cadastral_reference },
    rectifies:
      row.rectifies === null
        ? []
        : (JSON.parse(row.rectifies) as { supplierNumber: string; issueDate: BusinessDate }[]),
  }
}
