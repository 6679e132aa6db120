/**
 * What the stored rows of an invoice say: the source with which all others are compared. Sums are additions of columns;
 * nothing is taken from the code that computes an invoice.
 */
import type { InvoiceRow, LineRow, PartyFacts, TaxRow } from '../../sales/invoices/index.ts'
import { addTax } from './said.ts'
import type { Fact, Said, SaidLine, SaidTax } from './said.ts'

/** The rows of an issued invoice, as its transaction reads them back. */
interface StoredInvoice {
  row: InvoiceRow
  lines: readonly LineRow[]
  taxes: readonly TaxRow[]
  references: readonly { role: 'rectifies' | 'substitutes'; number: string; issueDate: string }[]
  /** Issuer as its row has it, read with the record. */
  issuer: { nif: string | null; name: string }
}

/** Regimes that tax a margin, if its cost is stated. */
const MARGIN = new Set(['03', '05'])
/** National taxes by the registry's codes. */
const NATIONAL_TAXES: Readonly<Record<string, string>> = { '01': 'IVA', '02': 'IPSI', '03': 'IGIC' }
/** Regime of the one-stop shop, which charges another country's tax. */
const OTHER_COUNTRY = '17'

export const isSimplifiedKind = (kind: string): boolean => kind === 'F2' || kind === 'R5'

/** True for a line of which only the margin is taxed, so that no tax of it is shown. */
export const isMarginLine = (line: LineRow): boolean =>
  line.tax_treatment === 'S1' && MARGIN.has(line.regime_key) && line.cost_cents !== null

/** Returns the VAT that a line shows, in hundredths of a percent. */
function shownRate(line: LineRow): number {
  if (line.is_disbursement === 1 || isMarginLine(line)) return 0
  const isTaxed = line.tax_treatment === 'S1' || isAbroad(line.tax_treatment, line.regime_key)
  return isTaxed ? (line.vat_rate_bp ?? 0) : 0
}

const isAbroad = (treatment: string, regime: string): boolean =>
  treatment === 'N2' && regime === OTHER_COUNTRY

/** Returns the amount of a line as priced, before the document's discount, rounded half away from zero. */
function listedCents(line: LineRow): number {
  const exact =
    BigInt(line.quantity_micro) * BigInt(line.unit_price_micro) * BigInt(10_000 - line.discount_bp) -
    BigInt(line.discount_cents) * 100_000_000_000_000n
  const half = 50_000_000_000_000n
  return Number((exact < 0n ? exact - half : exact + half) / 100_000_000_000_000n)
}

function lineOf(line: LineRow, row: InvoiceRow): SaidLine {
  const sign = line.unit_price_micro < 0 ? -1 : 1
  const isPlain = row.price_mode === 'net' || line.is_disbursement === 1 || isMarginLine(line)
  const said: SaidLine = {
    description: line.description,
    // Formats allow no negative price: the quantity carries its sign.
    quantityMicro: line.quantity_micro * sign,
    rateBp: shownRate(line),
    regime: line.regime_key,
  }
  if (isPlain) said.priceMicro = line.unit_price_micro * sign
  // In another currency the column has the amount in euros.
  if (row.fx_micro !== null) return said
  return {
    ...said,
    netCents: line.net_cents,
    listedCents: listedCents(line),
    listedPriceMicro: line.unit_price_micro * sign,
  }
}

/** Returns the key of a tax in the registry, the VAT book and the totals. */
export function registeredKey(
  treatment: string,
  regime: string,
  rateBp: number | null,
  surchargeBp: number | null,
): string {
  const hasRate = treatment === 'S1' || treatment === 'S2'
  return `${treatment} ${regime} ${hasRate ? (rateBp ?? 0) : '-'} ${treatment === 'S1' ? (surchargeBp ?? 0) : 0}`
}

function registeredOf(taxes: readonly TaxRow[]): Map<string, SaidTax> {
  const registered = new Map<string, SaidTax>()
  for (const tax of taxes)
    addTax(registered, registeredKey(tax.tax_treatment, tax.regime_key, tax.vat_rate_bp, tax.surcharge_bp), {
      base: tax.base_cents,
      tax: tax.tax_cents,
      surcharge: tax.surcharge_cents,
    })
  return registered
}

interface ShownSums {
  shown: Map<string, SaidTax>
  /** Amounts without VAT: exempt, not subject, reverse charge, prices under a margin scheme. */
  untaxed: number
  surcharges: number
}

/** Returns the sums as documents show them, by rate. */
function shownOf(taxes: readonly TaxRow[], lines: readonly LineRow[]): ShownSums {
  const shown = new Map<string, SaidTax>()
  const sums = { shown, untaxed: 0, surcharges: 0 }
  const margins = new Set(
    lines.filter(isMarginLine).map((line) => `${line.regime_key} ${line.vat_rate_bp} ${line.surcharge_bp}`),
  )
  for (const tax of taxes) {
    const { base_cents: base, tax_cents: quota, surcharge_cents: surcharge, outside_cents: outside } = tax
    const abroad = isAbroad(tax.tax_treatment, tax.regime_key)
    const isMargin =
      tax.tax_treatment === 'S1' &&
      margins.has(`${tax.regime_key} ${tax.vat_rate_bp} ${tax.surcharge_bp}`) &&
      isMarginTax(tax, lines)
    const rate = tax.vat_rate_bp ?? 0
    if (isMargin) sums.untaxed += base + quota + surcharge + outside
    else if (rate > 0 && (tax.tax_treatment === 'S1' || abroad))
      addTax(shown, `vat ${rate}`, { base, tax: abroad ? outside : quota, surcharge: 0 })
    else sums.untaxed += base
    if (isMargin || surcharge === 0) continue
    sums.surcharges += surcharge
    addTax(shown, `surcharge ${tax.surcharge_bp ?? 0}`, { base: 0, tax: surcharge, surcharge: 0 })
  }
  return sums
}

/**
 * Tells a margin's row from one of ordinary sales with the same regime and rates: both have the key of the other, and
 * their order is that of their first lines.
 */
function isMarginTax(tax: TaxRow, lines: readonly LineRow[]): boolean {
  const alike = lines.filter(
    (line) =>
      line.is_disbursement === 0 &&
      line.tax_treatment === tax.tax_treatment &&
      line.regime_key === tax.regime_key &&
      line.vat_rate_bp === tax.vat_rate_bp &&
      line.surcharge_bp === tax.surcharge_bp,
  )
  return alike.every(isMarginLine)
}

/** Returns true if ordinary sales have the regime and the rates of a margin: their shown sums cannot be told apart. */
function isMixed(lines: readonly LineRow[]): boolean {
  const kinds = new Map<string, boolean>()
  for (const line of lines) {
    if (line.is_disbursement === 1 || !MARGIN.has(line.regime_key) || line.tax_treatment !== 'S1') continue
    const key = `${line.regime_key} ${line.vat_rate_bp} ${line.surcharge_bp}`
    const known = kinds.get(key)
    if (known !== undefined && known !== isMarginLine(line)) return true
    kinds.set(key, isMarginLine(line))
  }
  return false
}

/** Returns who else issued it, with the identity of a third party. */
function issuedBy(row: InvoiceRow): Record<string, Fact> {
  return {
    issuedBy: row.issued_by,
    issuedByRecipient: row.issued_by === 'recipient' ? 1 : 0,
    isKnownType: 1,
    mentions: '',
    // A format that could not be written says why.
    unwritable: '',
    thirdPartyName: row.issued_by === 'third_party' ? row.issued_by_name : null,
    thirdPartyTaxId: row.issued_by === 'third_party' ? row.issued_by_nif : null,
  }
}

const accrualDate = (row: InvoiceRow): string =>
  row.kind.startsWith('R') ? (row.issue_date ?? '') : (row.operation_date ?? row.issue_date ?? '')

/** Longer than the record's text of at most 500 characters. */
const ENOUGH = 600

/** Returns the beginning of what was sold. */
function operationOf(lines: readonly LineRow[]): string {
  let text = ''
  for (const { description } of lines) {
    text += text === '' ? description : `; ${description}`
    if (text.length > ENOUGH) return text.slice(0, ENOUGH)
  }
  return text
}

/** Returns the key of a named invoice, as it is compared. */
export const named = (number: string, issueDate: string): string => `${number} ${issueDate}`

export function said({ row, lines, taxes, references, issuer }: StoredInvoice): Said {
  const inEuros = row.fx_micro === null
  const marginCost = sum(taxes.filter((tax) => MARGIN.has(tax.regime_key)).map((tax) => tax.outside_cents))
  const accrual = accrualDate(row)
  const { shown, untaxed, surcharges } = shownOf(taxes, lines)
  const vatAmount = sum([...shown].map(([key, { tax }]) => (key.startsWith('vat') ? tax : 0)))
  const agreed = row.instalments === null ? null : (JSON.parse(row.instalments) as { dueDate: string }[])
  const first = references[0]
  const facts: Said['facts'] = {
    number: row.number,
    issueDate: row.issue_date,
    operationDate: row.operation_date === row.issue_date ? null : row.operation_date,
    dueDate: agreed === null ? row.due_date : (agreed[0]?.dueDate ?? null),
    kind: row.kind,
    isRectifying: row.kind.startsWith('R') ? 1 : 0,
    method: row.rectification_method,
    sellerTaxId: issuer.nif,
    sellerName: issuer.name,
    ...(isSimplifiedKind(row.kind) && row.client_nif === null
      ? {}
      : { buyerTaxId: row.client_nif, buyerName: row.client_name }),
    currency: row.currency,
    month: Number(accrual.slice(0, 4)) * 100 + Number(accrual.slice(5, 7)),
    quarter: `${accrual.slice(0, 4)} ${Math.ceil(Number(accrual.slice(5, 7)) / 3)}`,
    ...issuedBy(row),
    operation: operationOf(lines),
    rectified: first && row.kind.startsWith('R') ? first.number : undefined,
    references: references
      .map(({ number, issueDate }) => named(number, issueDate))
      .sort()
      .join('; '),
    rectifiedBase: row.rectified_base_cents,
    rectifiedTax: row.rectified_base_cents === null ? null : (row.rectified_tax_cents ?? 0),
    rectifiedSurcharge: row.rectified_base_cents === null ? null : row.rectified_surcharge_cents,
    instalmentDates: (agreed ?? []).map(({ dueDate }) => dueDate).join(' '),
    lineCount: lines.length,
    registeredTax: row.tax_cents,
    registeredTotal: row.base_cents + row.tax_cents + marginCost,
    // What the rows state twice.
    ...sumsOfTaxes(taxes),
    fx: row.fx_micro,
    nationalTax: NATIONAL_TAXES[row.tax],
  }
  const total = row.base_cents + row.tax_cents + row.outside_cents + row.disbursements_cents
  const euros: Said['facts'] = {
    eurosTotal: row.total_cents,
    eurosTax: row.tax_cents,
    eurosVat: isMixed(lines) ? undefined : vatAmount,
  }
  const own: Said['facts'] = inEuros
    ? {
        total: row.total_cents,
        due: row.total_cents - row.withholding_cents - row.replaced_cents,
        withheld: row.withholding_cents,
        withholdingBase: row.withholding_base_cents,
        replaced: row.replaced_cents,
        disbursements: row.disbursements_cents,
        ...(isMixed(lines)
          ? {}
          : { untaxed, untaxedAll: untaxed + surcharges + row.disbursements_cents, vatAmount }),
        deducted: row.withholding_cents + row.replaced_cents,
        instalmentSum:
          agreed === null ? undefined : row.total_cents - row.withholding_cents - row.replaced_cents,
        lineSum: sum(lines.map((line) => line.net_cents)),
      }
    : {}
  return {
    source: 'invoice',
    facts: { ...facts, ...euros, ...own, withholdingRate: row.withholding_bp ?? 0, storedTotal: total },
    ...(inEuros && !isMixed(lines) ? { shown } : {}),
    registered: registeredOf(taxes),
    lines: lines.map((line) => lineOf(line, row)),
  }
}

function sumsOfTaxes(taxes: readonly TaxRow[]): Record<string, Fact> {
  return {
    taxRowsBase: sum(taxes.map((tax) => tax.base_cents)),
    taxRowsTax: sum(taxes.map((tax) => tax.tax_cents + tax.surcharge_cents)),
    taxRowsOutside: sum(taxes.map((tax) => tax.outside_cents)),
  }
}

/** Returns what the columns of the invoice say that its tax rows say as well. */
export function saidByColumns({ row }: StoredInvoice): Said {
  return {
    source: 'invoice columns',
    facts: {
      taxRowsBase: row.base_cents,
      taxRowsTax: row.tax_cents,
      taxRowsOutside: row.outside_cents,
      storedTotal: row.total_cents,
    },
  }
}

export function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** Returns the issuer, as the examination of the draft knew it. */
export function saidByIssuer(issuer: PartyFacts): Said {
  return { source: 'company', facts: { sellerTaxId: issuer.nif, sellerName: issuer.name } }
}
