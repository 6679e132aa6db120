/** Builds the rows of an issued invoice in the VAT books from what is stored of it. Pure. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import { incomeOfTax } from '../../../domain/tax/totals.ts'
import { ISSUED_COLUMNS } from '../../../domain/formats/vat-book-columns.ts'
import type { IssuedColumn } from '../../../domain/formats/vat-book-columns.ts'
import { activity, cellsOf } from './book-row.ts'
import type { BookRow, Holder } from './book-row.ts'
import { amountCell, dateCell, nifCell, quarterCell, rateCell } from './cells.ts'

const CONSUMER = 'VENTAS A CONSUMIDOR FINAL'
const INCOME_CONCEPT = 'I01'
export const CASH = '07'

export interface TaxCells {
  treatment: string
  regimeKey: string
  vatRateBp: number | null
  baseCents: Cents
  taxCents: Cents
  surchargeBp: number | null
  surchargeCents: Cents
  /** For income tax. */
  incomeCents: Cents
}

/** Payment methods under cash accounting. */
export const METHODS: Record<string, string> = { transfer: '01', cheque: '02', direct_debit: '05' }
export const OTHER_METHOD = '04'

export interface Paid {
  documentId: number
  date: string
  cents: Cents
  method: string | null
}

/** Splits a number into series and sequence, at the last hyphen, as the books require. */
function numberParts(number: string): { series: string; number: string } {
  const at = number.lastIndexOf('-')
  return at < 0 ? { series: '', number } : { series: number.slice(0, at), number: number.slice(at + 1) }
}

function taxCells(tax: TaxCells, sign: 1 | -1): Partial<Record<IssuedColumn, string>> {
  const isTaxed = tax.treatment === 'S1'
  const isReverse = tax.treatment === 'S2'
  const base = sign * tax.baseCents
  const quota = isTaxed ? sign * tax.taxCents : 0
  const surcharge = isTaxed ? sign * tax.surchargeCents : 0
  return {
    regimeKey: tax.regimeKey,
    qualification: tax.treatment.startsWith('E') ? '' : tax.treatment,
    exemption: tax.treatment.startsWith('E') ? tax.treatment : '',
    total: amountCell(base + quota + surcharge),
    base: amountCell(base),
    rate: isTaxed || isReverse ? rateCell(tax.vatRateBp ?? 0) : '',
    tax: isTaxed || isReverse ? amountCell(quota) : '',
    surchargeRate: isTaxed ? rateCell(tax.surchargeBp) : '',
    surcharge: isTaxed && tax.surchargeBp !== null ? amountCell(surcharge) : '',
  }
}

/** A document that an invoice replaces: a ticket of an F3, or the original of a rectifying invoice by substitution. */
export interface Replaced {
  number: string
  kind: string
  /** Unknown for invoices of another program; the customer of the replacing invoice is used instead. */
  customer: Customer | null
  taxes: TaxCells[]
  withholding: { rateBp: number; cents: Cents } | null
}

interface Customer {
  name: string
  nif: string | null
  id_type: string | null
  country: string
}

function customerCells(kind: string, customer: Customer): Partial<Record<IssuedColumn, string>> {
  const isSpanish = customer.id_type === null || customer.id_type === '07'
  const isConsumer = customer.nif === null && (kind === 'F2' || kind === 'R5')
  return {
    idType: isSpanish ? '' : (customer.id_type ?? ''),
    country: isSpanish ? '' : customer.country,
    nif: nifCell(customer.nif),
    name: isConsumer ? CONSUMER : customer.name,
  }
}

/** The columns of an invoice that its rows state, with its customer. */
interface IssuedInvoice extends Customer {
  public_id: string
  number: string | null
  last_number: string | null
  kind: string
  issue_date: BusinessDate | null
  list_date: BusinessDate
  operation_date: BusinessDate | null
  withholding_bp: number | null
  withholding_cents: Cents
  external_ref: string | null
  property_situation: string | null
  cadastral_ref: string | null
}

/** A stored tax of an invoice. */
interface TaxRow {
  tax_treatment: string
  regime_key: string
  vat_rate_bp: number | null
  base_cents: Cents
  tax_cents: Cents
  surcharge_bp: number | null
  surcharge_cents: Cents
  outside_cents: Cents
}

/** Returns what the books state of a stored tax. */
export function taxCellsOf(kind: string, row: TaxRow): TaxCells {
  return {
    treatment: row.tax_treatment,
    regimeKey: row.regime_key,
    vatRateBp: row.vat_rate_bp,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    surchargeBp: row.surcharge_bp,
    surchargeCents: row.surcharge_cents,
    incomeCents: incomeOfTax(kind, {
      regimeKey: row.regime_key,
      baseCents: row.base_cents,
      outsideCents: row.outside_cents,
    }),
  }
}

/** Returns the rows: those that take back what it replaces, one for each tax, and those of its payments. */
export function issuedRows(
  row: IssuedInvoice,
  parts: { taxes: readonly TaxCells[]; replaced: readonly Replaced[]; paid: readonly Paid[] },
  holder: Holder,
): BookRow[] {
  const issueDate = row.issue_date ?? row.list_date
  const accrual = row.kind.startsWith('R') ? issueDate : (row.operation_date ?? issueDate)
  const printed = row.number ?? ''
  const common: Partial<Record<IssuedColumn, string>> = {
    year: accrual.slice(0, 4),
    period: quarterCell(accrual),
    ...activity(holder),
    kind: row.kind,
    issueDate: dateCell(issueDate),
    operationDate:
      row.operation_date === null || row.operation_date === issueDate ? '' : dateCell(row.operation_date),
    ...numberParts(printed),
    lastNumber: row.last_number ?? '',
    ...customerCells(row.kind, row),
    externalRef: row.external_ref ?? '',
    propertySituation: row.property_situation ?? '',
    cadastralRef: row.cadastral_ref ?? '',
  }
  const rows: BookRow[] = []
  const push = (values: Partial<Record<IssuedColumn, string>>) =>
    rows.push({
      sheet: 'issued',
      cells: cellsOf<IssuedColumn>(ISSUED_COLUMNS, values),
      documentId: row.public_id,
      document: printed,
    })
  const income = (tax: TaxCells, sign: 1 | -1): Partial<Record<IssuedColumn, string>> =>
    holder.isLegal ? {} : { concept: INCOME_CONCEPT, income: amountCell(sign * tax.incomeCents) }
  // Withholding belongs to the whole document and is written in its first row.
  const withheld = (
    index: number,
    withholding: Replaced['withholding'],
    sign: 1 | -1,
  ): Partial<Record<IssuedColumn, string>> =>
    index > 0 || holder.isLegal || withholding === null
      ? {}
      : {
          withholdingRate: rateCell(withholding.rateBp),
          withholding: amountCell(sign * withholding.cents),
        }
  for (const { number, kind, customer, taxes, withholding } of parts.replaced)
    for (const [index, tax] of taxes.entries())
      push({
        ...common,
        kind,
        ...(customer ? customerCells(kind, customer) : {}),
        ...numberParts(number),
        ...taxCells(tax, -1),
        ...income(tax, -1),
        ...withheld(index, withholding, -1),
      })
  const own =
    row.withholding_bp === null ? null : { rateBp: row.withholding_bp, cents: row.withholding_cents }
  for (const [index, tax] of parts.taxes.entries())
    push({
      ...common,
      ...taxCells(tax, 1),
      ...income(tax, 1),
      ...withheld(index, own, 1),
    })
  if (parts.taxes.some(({ regimeKey }) => regimeKey === CASH))
    for (const paid of parts.paid)
      push({
        ...common,
        year: paid.date.slice(0, 4),
        period: quarterCell(paid.date),
        regimeKey: CASH,
        paidOn: dateCell(paid.date),
        paid: amountCell(paid.cents),
        method: METHODS[paid.method ?? ''] ?? OTHER_METHOD,
      })
  return rows
}
