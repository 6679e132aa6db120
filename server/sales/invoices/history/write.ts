/**
 * Issued invoices of an earlier program as rows of the same table: taken in as its files say them, never registered and
 * never numbered here, and deleted without a trace when the move is undone.
 */
import type {
  HistoryInstalment,
  HistoryReplaced,
  HistoryTax,
  IssuedHistory,
} from '../../../domain/history.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Instalment } from '../../../domain/tax/instalments.ts'
import type { TaxTotal, Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { prepare, prepareInsert, prepareRows } from '../../../db/query.ts'
import type { Operation } from '../../../tax/totals/index.ts'
import { dropUnusedParty, saveParty } from '../draft/parties.ts'
import { writeInstalments } from '../instalments.ts'
import { findTaxes } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'
import { isRectifying } from '../kinds.ts'
import { operationsOfIssued } from './operations-of-history.ts'

interface RowValues {
  bookId: number
  publicId: string
  kind: IssuedHistory['kind']
  number: string
  issueDate: string
  operationDate: string | null
  dueDate: string | null
  partyId: number
  contactRowId: number | null
  baseCents: Cents
  taxCents: Cents
  surchargeCents: Cents
  outsideCents: Cents
  totalCents: Cents
  withholdingBp: number | null
  withholdingBaseCents: Cents
  withholdingCents: Cents
  settledCents: Cents
  isOwed: number
  method: 'S' | 'I' | null
  rectifiedBaseCents: Cents | null
  rectifiedTaxCents: Cents | null
  propertySituation: '1' | '2' | '3' | '4' | null
  cadastralRef: string | null
  externalRef: string | null
  createdAt: number
}

const insertRow = prepareInsert((db, p: RowValues) =>
  db
    .insertInto('invoices')
    .values({
      book_id: p.bookId,
      public_id: p.publicId,
      state: 'history',
      kind: p.kind,
      number: p.number,
      issue_date: p.issueDate,
      list_date: p.issueDate,
      operation_date: p.operationDate,
      due_date: p.dueDate,
      party_id: p.partyId,
      contact_id: p.contactRowId,
      price_mode: 'net',
      base_cents: p.baseCents,
      tax_cents: p.taxCents,
      surcharge_cents: p.surchargeCents,
      outside_cents: p.outsideCents,
      disbursements_cents: 0,
      total_cents: p.totalCents,
      withholding_bp: p.withholdingBp,
      withholding_base_cents: p.withholdingBaseCents,
      withholding_cents: p.withholdingCents,
      replaced_cents: p.settledCents,
      is_owed: p.isOwed,
      registry_status: 'not_registered',
      rectification_method: p.method,
      rectified_base_cents: p.rectifiedBaseCents,
      rectified_tax_cents: p.rectifiedTaxCents,
      property_situation: p.propertySituation,
      cadastral_ref: p.cadastralRef,
      language: 'es',
      external_ref: p.externalRef,
      created_at: p.createdAt,
    })
    .returning('id'),
)

type TaxRow = Pick<
  HistoryTax,
  | 'taxTreatment'
  | 'regimeKey'
  | 'vatRateBp'
  | 'baseCents'
  | 'taxCents'
  | 'surchargeRateBp'
  | 'surchargeCents'
  | 'account'
> & { invoiceId: number; position: number; priceMicro: number; description: string; outsideCents: Cents }

const insertLines = prepareRows((db, rows: readonly [TaxRow, ...TaxRow[]]) =>
  db.insertInto('invoice_lines').values(
    rows.map((row) => ({
      invoice_id: row.invoiceId,
      position: row.position,
      description: row.description,
      quantity_micro: 1_000_000,
      unit_price_micro: row.priceMicro,
      discount_bp: 0,
      tax_treatment: row.taxTreatment,
      regime_key: row.regimeKey,
      vat_rate_bp: row.vatRateBp,
      surcharge_bp: row.surchargeRateBp,
      withholdable: 1,
      is_disbursement: 0,
      account: row.account,
      net_cents: row.baseCents,
    })),
  ),
)

const insertTaxes = prepareRows((db, rows: readonly [TaxRow, ...TaxRow[]]) =>
  db.insertInto('invoice_taxes').values(
    rows.map((row) => ({
      invoice_id: row.invoiceId,
      position: row.position,
      tax_treatment: row.taxTreatment,
      regime_key: row.regimeKey,
      vat_rate_bp: row.vatRateBp,
      base_cents: row.baseCents,
      tax_cents: row.taxCents,
      surcharge_bp: row.surchargeRateBp,
      surcharge_cents: row.surchargeCents,
      outside_cents: row.outsideCents,
    })),
  ),
)

const byNumber = prepare((db, p: { bookId: number; number: string }) =>
  db
    .selectFrom('invoices')
    .select(['id', 'issue_date'])
    .where('book_id', '=', p.bookId)
    .where('state', '=', 'history')
    .where('number', '=', p.number)
    .orderBy('issue_date', 'desc')
    .orderBy('id', 'desc'),
)

interface ReferenceValues {
  invoiceId: number
  position: number
  role: 'rectifies' | 'substitutes'
  targetId: number | null
  number: string
  issueDate: string
}

const insertReferences = prepareRows((db, rows: readonly [ReferenceValues, ...ReferenceValues[]]) =>
  db.insertInto('invoice_references').values(
    rows.map((row) => ({
      invoice_id: row.invoiceId,
      position: row.position,
      role: row.role,
      target_id: row.targetId,
      number: row.number,
      issue_date: row.issueDate,
    })),
  ),
)

const insertReplacements = prepareRows(
  (
    db,
    rows: readonly [
      { invoiceId: number; replacedId: number },
      ...{ invoiceId: number; replacedId: number }[],
    ],
  ) =>
    db
      .insertInto('invoice_replacements')
      .values(rows.map((row) => ({ invoice_id: row.invoiceId, replaced_id: row.replacedId }))),
)

interface Found {
  replaced: HistoryReplaced
  target: { id: number; issueDate: string } | null
}

/** Finds the documents that an invoice takes back among the history, in the order of their rows, the unknown ones last. */
async function replacedDocuments(tx: Ctx, document: IssuedHistory): Promise<Found[]> {
  const found: Found[] = []
  for (const replaced of document.replaced) {
    const rows = await byNumber.all(tx.db, { bookId: tx.book.id, number: replaced.number })
    const target = rows.find((row) => (row.issue_date ?? '') <= document.issueDate)
    found.push({ replaced, target: target ? { id: target.id, issueDate: target.issue_date ?? '' } : null })
  }
  return found.toSorted(
    (one, other) =>
      (one.target?.id ?? Number.MAX_SAFE_INTEGER) - (other.target?.id ?? Number.MAX_SAFE_INTEGER),
  )
}

const sumOf = (taxes: readonly HistoryTax[], pick: (tax: HistoryTax) => Cents): Cents =>
  taxes.reduce((sum, tax) => sum + pick(tax), 0)

/** Returns the amount that a document asked for: its total, less what was withheld and what it took back. */
function payableOf(document: IssuedHistory): Cents {
  const { replaced, totalCents, withholding } = document
  const before = replaced.reduce(
    (sum, one) =>
      sum +
      sumOf(one.taxes, (tax) => tax.baseCents + tax.taxCents + tax.surchargeCents) -
      (one.withholding?.amountCents ?? 0),
    0,
  )
  return totalCents - (withholding?.amountCents ?? 0) - before
}

/**
 * Writes an issued invoice of an earlier program and returns its row and the operations that it counts.
 * @param openCents what is still to be paid of it, in its own sign.
 */
export async function insertHistoryInvoice(
  tx: Ctx,
  document: IssuedHistory,
  { contactRowId, openCents }: { contactRowId: number | null; openCents: Cents },
): Promise<{ rowId: number; operations: Operation[] }> {
  const { taxes, party, withholding, property } = document
  const baseCents = sumOf(taxes, (tax) => tax.baseCents)
  const surchargeCents = sumOf(taxes, (tax) => tax.surchargeCents)
  const taxCents = sumOf(taxes, (tax) => tax.taxCents) + surchargeCents
  const found = await replacedDocuments(tx, document)
  const rectifies = isRectifying(document.kind)
  const method = rectifies ? (document.replaced.length > 0 ? 'S' : 'I') : null
  const before = document.replaced.flatMap((one) => one.taxes)
  const partyId = await saveParty(tx, {
    ...party,
    tradeName: null,
    email: null,
    phone: null,
    iban: null,
    registryInscription: null,
    dir3: null,
  })
  const outsideCents = document.totalCents - baseCents - taxCents
  const rowId = await insertRow.run(tx.db, {
    bookId: tx.book.id,
    publicId: tx.newId('inv'),
    kind: document.kind,
    number: document.number,
    issueDate: document.issueDate,
    operationDate: document.operationDate,
    dueDate: document.dueDate,
    partyId,
    contactRowId,
    baseCents,
    taxCents,
    surchargeCents,
    outsideCents,
    totalCents: document.totalCents,
    withholdingBp: withholding?.rateBp ?? null,
    withholdingBaseCents: withholding?.baseCents ?? 0,
    withholdingCents: withholding?.amountCents ?? 0,
    settledCents: document.totalCents - (withholding?.amountCents ?? 0) - openCents,
    isOwed: openCents > 0 ? 1 : 0,
    method,
    rectifiedBaseCents: method === 'S' ? sumOf(before, (tax) => tax.baseCents) : null,
    rectifiedTaxCents: method === 'S' ? sumOf(before, (tax) => tax.taxCents) : null,
    propertySituation: situationOf(property?.situation),
    cadastralRef: property?.cadastralRef ?? null,
    externalRef: document.externalRef,
    createdAt: tx.now().getTime(),
  })
  const rows = taxes.map((tax, position): TaxRow => ({
    taxTreatment: tax.taxTreatment,
    regimeKey: tax.regimeKey,
    vatRateBp: tax.vatRateBp,
    baseCents: tax.baseCents,
    taxCents: tax.taxCents,
    surchargeRateBp: tax.surchargeRateBp,
    surchargeCents: tax.surchargeCents,
    account: tax.account,
    invoiceId: rowId,
    position,
    priceMicro: tax.baseCents * 10_000,
    description: document.description ?? '',
    outsideCents: position === 0 ? outsideCents : 0,
  }))
  await insertLines.run(tx.db, rows)
  await insertTaxes.run(tx.db, rows)
  if (document.instalments) await splitOpen(tx, rowId, document.instalments)
  await insertReferences.run(
    tx.db,
    found.map(({ replaced, target }, position) => ({
      invoiceId: rowId,
      position,
      role: rectifies ? ('rectifies' as const) : ('substitutes' as const),
      targetId: target?.id ?? null,
      number: replaced.number,
      issueDate: target?.issueDate ?? document.issueDate,
    })),
  )
  const known = found.filter(({ target }) => target !== null)
  await insertReplacements.run(
    tx.db,
    known.map(({ target }) => ({ invoiceId: rowId, replacedId: target?.id ?? 0 })),
  )
  const unknown = found.filter(({ target }) => target === null).map(({ replaced }) => replaced)
  const groups = [...known.map(({ replaced }) => [replaced]), ...(unknown.length > 0 ? [unknown] : [])]
  return { rowId, operations: operationsOfIssued(document, rowId, groups) }
}

function situationOf(text: string | undefined): '1' | '2' | '3' | '4' | null {
  return text === '1' || text === '2' || text === '3' || text === '4' ? text : null
}

/** Returns what of a document was open when the earlier program was left: all of it, or nothing, or what its file says. */
export function openCentsOf(document: IssuedHistory, isPaid: boolean): Cents {
  if (document.openCents !== null) return document.openCents
  return isPaid ? 0 : payableOf(document)
}

const partyOf = prepare((db, p: { id: number }) =>
  db.selectFrom('invoices').select('party_id').where('id', '=', p.id).where('state', '=', 'history'),
)
const deleteReplacements = prepare((db, p: { id: number }) =>
  db.deleteFrom('invoice_replacements').where('invoice_id', '=', p.id),
)
const deleteRow = prepare((db, p: { id: number }) =>
  db.deleteFrom('invoices').where('id', '=', p.id).where('state', '=', 'history'),
)

/** Deletes an issued invoice of an earlier program with its lines and, if nobody else has it, its customer's data. */
export async function deleteHistoryInvoice(tx: Ctx, rowId: number): Promise<void> {
  const row = await partyOf.first(tx.db, { id: rowId })
  if (!row) throw new Error(`Invoice ${rowId} is no history.`)
  await deleteReplacements.run(tx.db, { id: rowId })
  await deleteRow.run(tx.db, { id: rowId })
  await dropUnusedParty(tx, row.party_id)
}

/** Returns the totals of an invoice of an earlier program as they are stored: its own program rounded them. */
export async function historyTotals(ctx: Ctx, row: InvoiceRow): Promise<Totals> {
  const taxes = (await findTaxes(ctx.db, row.id)).map((tax): TaxTotal => ({
    taxTreatment: tax.tax_treatment,
    regimeKey: tax.regime_key,
    vatRateBp: tax.vat_rate_bp,
    baseCents: tax.base_cents,
    taxCents: tax.tax_cents,
    surchargeRateBp: tax.surcharge_bp,
    surchargeCents: tax.surcharge_cents,
    outsideCents: tax.outside_cents,
  }))
  return {
    lineNetsCents: taxes.map(({ baseCents }) => baseCents),
    taxes,
    documentDiscountCents: 0,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    surchargeCents: row.surcharge_cents,
    outsideCents: row.outside_cents,
    disbursementsCents: 0,
    totalCents: row.total_cents,
    registeredTotalCents: row.total_cents,
    withholding:
      row.withholding_bp === null
        ? null
        : {
            rateBp: row.withholding_bp,
            baseCents: row.withholding_base_cents,
            amountCents: row.withholding_cents,
          },
    amountDueCents: row.total_cents - row.withholding_cents,
  }
}

/** Files of an invoice of an earlier program: its original document. */
export const HISTORY_TARGET = 'invoice'

const openOf = prepare((db, p: { id: number }) =>
  db
    .selectFrom('invoices')
    .select(['due_cents', 'due_date', 'total_cents', 'withholding_cents', 'paid_cents'])
    .where('id', '=', p.id)
    .where('state', '=', 'history'),
)
const changeOpen = prepare(
  (db, p: { id: number; settledCents: number; isOwed: number; dueDate: string | null }) =>
    db
      .updateTable('invoices')
      .set({ replaced_cents: p.settledCents, is_owed: p.isOwed, due_date: p.dueDate })
      .where('id', '=', p.id)
      .where('state', '=', 'history'),
)

const setInstalments = prepare((db, p: { id: number; instalments: string | null }) =>
  db
    .updateTable('invoices')
    .set({ instalments: p.instalments })
    .where('id', '=', p.id)
    .where('state', '=', 'history'),
)
const dropInstalments = prepare((db, p: { id: number }) =>
  db.deleteFrom('invoice_instalments').where('invoice_id', '=', p.id),
)

/** Divides what is open of an invoice among several due dates; none of them joins it again. */
async function splitOpen(tx: Ctx, rowId: number, instalments: readonly HistoryInstalment[]): Promise<void> {
  await dropInstalments.run(tx.db, { id: rowId })
  const agreed = instalments.map(({ dueDate, cents }): Instalment => ({ dueDate, percentBp: null, cents }))
  await setInstalments.run(tx.db, {
    id: rowId,
    instalments: agreed.length === 0 ? null : JSON.stringify(agreed),
  })
  await writeInstalments(tx, rowId, instalments)
}

/**
 * Sets what is open of an invoice of an earlier program. `instalments`: its due dates if there are several, none for one;
 * left out, they stay. Returns what was open before.
 */
export async function setHistoryOpen(
  tx: Ctx,
  rowId: number,
  {
    openCents,
    dueDate,
    instalments,
  }: { openCents: Cents; dueDate: string | null; instalments?: readonly HistoryInstalment[] },
): Promise<Cents> {
  const row = await openOf.first(tx.db, { id: rowId })
  if (!row) throw new Error(`Invoice ${rowId} is no history.`)
  if (instalments) await splitOpen(tx, rowId, instalments)
  await changeOpen.run(tx.db, {
    id: rowId,
    settledCents: row.total_cents - row.withholding_cents - row.paid_cents - openCents,
    isOwed: openCents > 0 ? 1 : 0,
    dueDate: dueDate ?? row.due_date,
  })
  return row.due_cents
}
