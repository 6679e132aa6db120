/**
 * One invoice, one truth: before an invoice is called issued, everything that will say something about it is produced or
 * derived, read back by code of its own, and compared field by field. A difference stops the issue.
 */
import { environmentOf } from '../../company/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { allOf } from '../../db/query.ts'
import { issuedRows, taxCellsOf } from '../../accounting/returns/books/port.ts'
import { registrationAsStored } from '../../registry/index.ts'
import { contentOf, findInvoiceByRow, findTaxes, totalsOf } from '../../sales/invoices/index.ts'
import type {
  BookedInvoice,
  DraftContent,
  InvoiceRow,
  LineRow,
  PartyFacts,
  TaxRow,
} from '../../sales/invoices/index.ts'
import type { Totals } from '../../domain/tax/totals.ts'
import { taxesCounted } from '../../tax/totals/index.ts'
import type { CountedTax } from '../../tax/totals/index.ts'
import { eInvoiceOf } from '../e-invoice/index.ts'
import type { EInvoice } from '../e-invoice/index.ts'
import { layOutEstimated } from '../pdf/layout/index.ts'
import type { InvoicePaper } from '../pdf/index.ts'
import { invoiceOnPaper } from '../rendering/port.ts'
import { convertedContradiction } from './converted.ts'
import { saidByFormats } from './formats.ts'
import { saidByPaper } from './paper.ts'
import { saidByRegistry } from './records.ts'
import { saidByBook, saidByQr, saidByTotals } from './registered.ts'
import { firstContradiction } from './said.ts'
import type { Contradiction, Fact, Said } from './said.ts'
import { isMarginLine, isSimplifiedKind, said, saidByColumns, saidByIssuer } from './stored.ts'

/** Everything of an issued invoice that the comparison starts from. */
export interface Evidence {
  row: InvoiceRow
  lines: readonly LineRow[]
  taxes: readonly TaxRow[]
  references: BookedInvoice['references']
  issuer: PartyFacts
  /** Made again from the rows, as every document of the invoice will be. */
  content: DraftContent
  totals: Totals
  record: NonNullable<Awaited<ReturnType<typeof registrationAsStored>>>
  counted: readonly CountedTax[]
  environment: InvoicePaper['environment']
  today: string
}

/** Throws `invoice_contradicts` (500) with the first field in which two sources differ. */
export async function assertOneTruth(tx: Ctx, booked: BookedInvoice): Promise<void> {
  const { rowId, lines, references, issuer } = booked
  const [row, record, taxes, counted] = await allOf(
    findInvoiceByRow(tx, rowId),
    registrationAsStored(tx, rowId),
    findTaxes(tx.db, rowId),
    taxesCounted(tx, rowId),
  )
  const stored = orNotFound(row, 'internal')
  const content = await contentOf(tx.db, stored, { lines, references })
  const found = contradictionIn({
    row: stored,
    lines,
    taxes,
    references,
    issuer,
    content,
    totals: totalsOf(content),
    record: orNotFound(record ?? undefined, 'internal'),
    counted,
    environment: environmentOf(tx),
    today: tx.today(),
  })
  if (found)
    throw new AppError('invoice_contradicts', {
      field: found.field,
      details: { field: found.field, sources: found.sources, values: found.values.map(shortened) },
    })
}

/** Longest text of a value in an error. */
const MOST_SHOWN = 200

const shortened = (value: Fact): Fact =>
  typeof value === 'string' && value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value

/** Returns the first field in which two sources differ; null if all agree. */
export function contradictionIn(evidence: Evidence): Contradiction | null {
  const sources = saidOf(evidence)
  return firstContradiction(sources) ?? convertedContradiction(sources, evidence.row.fx_micro)
}

/** Returns what every source says, the stored rows first. */
export function saidOf(evidence: Evidence): Said[] {
  const invoice = structuredOf(evidence)
  const { row, lines, taxes, references, issuer, record, counted } = evidence
  const stored = { row, lines, taxes, references, issuer: { nif: record.issuerNif, name: record.issuerName } }
  return [
    said(stored),
    saidByColumns(stored),
    saidByIssuer(issuer),
    ...saidByRegistry(record),
    saidByQr(record.qrUrl, 'QR'),
    saidByBook(bookRows(evidence)),
    saidByTotals(counted),
    ...paperOf(evidence, invoice.mentions),
    ...saidByFormats(invoice, {
      isSuplido: lines.map((line) => line.is_disbursement === 1),
      mentions: invoice.mentions,
      regimes: lines.map((line) => line.regime_key),
    }),
  ]
}

/** The rows of the VAT book state the income of people alone: the holder decides about columns that are not compared. */
const HOLDER = { isLegal: true, profile: {} } as Parameters<typeof issuedRows>[2]

function bookRows({ row, taxes }: Evidence) {
  const { client_name: name, client_nif: nif, client_id_type: idType, client_country: country } = row
  return issuedRows(
    { ...row, last_number: null, name, nif, id_type: idType, country },
    { taxes: taxes.map((tax) => taxCellsOf(row.kind, tax)), replaced: [], paid: [] },
    HOLDER,
  )
}

function paperOf(evidence: Evidence, mentions: readonly string[]): Said[] {
  const { row, lines, references, issuer, content, totals, record, environment, today } = evidence
  const isSimplified = isSimplifiedKind(row.kind)
  const format = isSimplified ? 'ticket' : 'a4'
  const paper = invoiceOnPaper(row, {
    content,
    totals,
    issuer,
    company: { environment, accent: null, logo: null, footer: null },
    format,
    withQr: true,
    registry: record,
    today,
  })
  const isGross = row.price_mode === 'gross' && (isSimplified || lines.some(isMarginLine))
  return saidByPaper(layOutEstimated(paper), {
    language: content.language,
    format,
    isGross,
    isRounded: lines.map((line) => row.price_mode === 'gross' && !isMarginLine(line)),
    lineCount: lines.length,
    issuer: { name: record.issuerName, tradeName: issuer.tradeName, taxId: record.issuerNif },
    client: isSimplified && row.client_nif === null ? null : { name: row.client_name, taxId: row.client_nif },
    references,
    mentions,
    units: lines.map(({ unit }) => unit),
  })
}

function structuredOf({ row, issuer, content, totals, record }: Evidence): EInvoice {
  const number = row.number ?? ''
  return eInvoiceOf(content, totals, {
    number,
    seriesCode: number.slice(0, number.lastIndexOf('-')),
    issueDate: row.issue_date ?? '',
    issuer,
    // The mandate of a direct debit is no part of what was issued.
    debit: null,
    qrUrl: record.qrUrl,
  })
}
