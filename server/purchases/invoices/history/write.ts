/**
 * Received invoices of an earlier program as rows of the same table: without a reception number of these books, and
 * deleted without a trace when the move is undone.
 */
import type { HistoryTax, ReceivedHistory } from '../../../domain/history.ts'
import type { Cents } from '../../../domain/money.ts'
import { searchText } from '../../../domain/text.ts'
import type { Ctx } from '../../../context.ts'
import type { Operation } from '../../../tax/totals/index.ts'
import type { TaxFamily } from '../../../tax/systems/contract.ts'
import { prepare } from '../../../db/query.ts'
import { EXPENSE_CONCEPTS } from '../concepts.ts'
import { sumsOf } from '../content.ts'
import type { ReceivedContent, ReceivedLine } from '../content.ts'
import { operationOfReceived, taxFamilyOf } from '../post.ts'
import { insertHistoryRow } from '../rows.ts'

/** Concept of a document whose file names none: other external services. */
const UNKNOWN_CONCEPT = 'G22'
const ASSET_ACCOUNT = '213'

function accountOf({ account, concept, investment }: HistoryTax): string {
  if (account !== null) return account
  if (investment) return ASSET_ACCOUNT
  return EXPENSE_CONCEPTS.find(({ code }) => code === concept)?.account ?? '629'
}

/** Returns the share of a line's tax that is deductible, in basis points, to show it: the amount itself is stored. */
function deductibleBp(tax: HistoryTax): number {
  const whole = tax.taxCents + tax.surchargeCents
  if (whole === 0) return 0
  return Math.min(10_000, Math.max(0, Math.round((tax.deductibleCents * 10_000) / whole)))
}

type Nature = ReceivedLine['nature']
const NATURES: readonly string[] = [
  'domestic',
  'reverse_charge',
  'eu_goods',
  'eu_services',
  'foreign_services',
  'import',
  'reagyp',
]

function lineOf(tax: HistoryTax, description: string | null): ReceivedLine {
  const nature = NATURES.includes(tax.nature ?? '') ? (tax.nature as Nature) : 'domestic'
  return {
    description,
    taxTreatment: tax.taxTreatment,
    nature,
    regimeKey: tax.regimeKey,
    vatRateBp: tax.vatRateBp,
    baseCents: tax.baseCents,
    taxCents: tax.taxCents,
    selfAssessed: tax.selfAssessed,
    surchargeRateBp: tax.surchargeRateBp,
    surchargeCents: tax.surchargeCents,
    deductibleBp: deductibleBp(tax),
    deductibleCents: tax.deductibleCents,
    concept: tax.concept ?? UNKNOWN_CONCEPT,
    account: accountOf(tax),
    investmentGood: tax.investment,
    documentBaseCents: tax.baseCents,
    documentTaxCents: tax.taxCents,
    documentSurchargeCents: tax.surchargeCents,
  }
}

/** Rents by their key, and by the concept of the books. */
const isRent = ({ regimeKey, concept }: HistoryTax): boolean => regimeKey === '12' || concept === 'G12'

function contentOf(document: ReceivedHistory, contactId: number | null): ReceivedContent {
  const { party, withholding, property, taxes } = document
  return {
    kind: document.kind,
    contactId,
    supplier: {
      name: party.name,
      nif: party.nif,
      nifWritten: null,
      idType: party.idType,
      country: party.country,
      street: party.street,
      postalCode: party.postalCode,
      city: party.city,
      province: party.province,
    },
    supplierNumber: document.number,
    issueDate: document.issueDate,
    receptionDate: document.receptionDate,
    operationDate: document.operationDate,
    dueDate: document.dueDate,
    deductionDate: document.deductionDate,
    concept: taxes[0]?.concept ?? UNKNOWN_CONCEPT,
    currency: 'EUR',
    fxRateMicro: null,
    paymentMethod: null,
    cashAccounting: taxes.some(({ regimeKey }) => regimeKey === '07'),
    property:
      property === null || !/^[1-5]$/.test(property.situation)
        ? null
        : { situation: Number(property.situation), cadastralReference: property.cadastralRef },
    rectifies: [],
    notes: null,
    externalRef: document.externalRef,
    lines: taxes.map((tax) => lineOf(tax, document.description)),
    withholding: withholding && {
      ...withholding,
      reason: withholding.reason ?? (taxes.some(isRent) ? 'rent' : 'professional'),
    },
  }
}

/** Returns the operation of a document, with the expense that its file says. */
function operationOf(
  document: ReceivedHistory,
  content: ReceivedContent,
  rowId: number,
  tax: TaxFamily,
): Operation {
  // Files of an earlier program are documents of the past: a missing one is no work to do.
  const operation = operationOfReceived({ rowId, content, files: 1 }, tax)
  let expenseCents: Cents = 0
  for (const { incomeCents, taxCents, surchargeCents, deductibleCents } of document.taxes) {
    if (incomeCents === null) return operation
    // The books hold the base as the expense; tax that cannot be deducted is a cost as well.
    expenseCents += incomeCents + taxCents + surchargeCents - deductibleCents
  }
  return { ...operation, incomeCents: expenseCents }
}

/**
 * Writes a received invoice of an earlier program and returns its row and the operations that it counts.
 * @param openCents what is still to be paid of it, in its own sign.
 */
export async function insertHistoryReceived(
  tx: Ctx,
  document: ReceivedHistory,
  { contactRowId, openCents }: { contactRowId: number | null; openCents: Cents },
): Promise<{ rowId: number; operations: Operation[] }> {
  const content = contentOf(document, contactRowId)
  const { party } = document
  const rowId = await insertHistoryRow(tx, content, {
    openCents,
    search: searchText(
      [party.name, party.nif, document.number, document.reception].filter(Boolean).join(' '),
    ),
  })
  return { rowId, operations: [operationOf(document, content, rowId, await taxFamilyOf(tx))] }
}

/** Returns what of a document was open when the earlier program was left: nothing, all of it, or what its file says. */
export function openCentsOfReceived(document: ReceivedHistory, isPaid: boolean): Cents {
  if (document.openCents !== null) return document.openCents
  return isPaid ? 0 : sumsOf(contentOf(document, null)).payableCents
}

const deleteLines = prepare((db, p: { id: number }) =>
  db.deleteFrom('received_lines').where('received_id', '=', p.id),
)
const deleteRow = prepare((db, p: { id: number }) =>
  db.deleteFrom('received_invoices').where('id', '=', p.id).where('state', '=', 'history'),
)

/** Deletes a received invoice of an earlier program with its lines. */
export async function deleteHistoryReceived(tx: Ctx, rowId: number): Promise<void> {
  await deleteLines.run(tx.db, { id: rowId })
  await deleteRow.run(tx.db, { id: rowId })
}

const addFile = prepare((db, p: { id: number }) =>
  db
    .updateTable('received_invoices')
    .set((eb) => ({ files: eb('files', '+', 1) }))
    .where('id', '=', p.id)
    .where('state', '=', 'history'),
)

/** Counts a file that was attached to a received invoice of an earlier program, so that lists show it. */
export async function countHistoryFile(tx: Ctx, rowId: number): Promise<void> {
  await addFile.run(tx.db, { id: rowId })
}

const openOf = prepare((db, p: { id: number }) =>
  db
    .selectFrom('received_invoices')
    .select(['payable_cents', 'paid_cents', 'due_date'])
    .where('id', '=', p.id)
    .where('state', '=', 'history'),
)
const changeOpen = prepare(
  (db, p: { id: number; payableCents: number; isOwed: number; dueDate: string | null }) =>
    db
      .updateTable('received_invoices')
      .set({ payable_cents: p.payableCents, is_owed: p.isOwed, due_date: p.dueDate })
      .where('id', '=', p.id)
      .where('state', '=', 'history'),
)

/** Sets what is still to be paid of an invoice of an earlier program. Returns what was open before. */
export async function setHistoryPayable(
  tx: Ctx,
  rowId: number,
  { openCents, dueDate }: { openCents: Cents; dueDate: string | null },
): Promise<Cents> {
  const row = await openOf.first(tx.db, { id: rowId })
  if (!row) throw new Error(`Received invoice ${rowId} is no history.`)
  await changeOpen.run(tx.db, {
    id: rowId,
    payableCents: openCents + row.paid_cents,
    isOwed: openCents > 0 ? 1 : 0,
    dueDate: dueDate ?? row.due_date,
  })
  return row.payable_cents - row.paid_cents
}
