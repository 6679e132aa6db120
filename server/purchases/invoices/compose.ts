/** Composes a received invoice from its input: every default decided, with its errors and warnings. Pure. */
import type { CompanyRow } from '../../company/index.ts'
import type { ContactFacts } from '../../catalog/contacts/index.ts'
import { addDays, quarterOf, quarterPeriod } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import {
  basisPointsFromPercent,
  centsFromEuros,
  centsToText,
  microFromNumber,
  percentOf,
} from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { checkNif, isNif, normalizeNif, writtenTaxNumber } from '../../domain/tax/nif.ts'
import { isInUnion, placeOfAddress } from '../../domain/tax/territories.ts'
import { trimmedOrNull, normalizeText } from '../../domain/text.ts'
import { otherStateOf } from '../../domain/tax/vat-numbers.ts'
import { checkLines, composeLine, toEuroCents } from './compose-lines.ts'
import type { LineSetting } from './compose-lines.ts'
import { GENERAL_CONCEPT, RENT_CONCEPT } from './concepts.ts'
import { sumsOf } from './content.ts'
import type { ReceivedContent, Supplier } from './content.ts'
import type { ReceivedInput } from './contract.ts'
import { receivedHeader } from './fields.ts'
import { taxSystemOf, USUAL_TERRITORY } from '../../tax/systems/index.ts'
import { error, warning } from '../fault.ts'

/** Facts of the book that the composition uses. */
interface Known {
  today: BusinessDate
  /** Without a territory: that of most of Spain. */
  company: Pick<CompanyRow, 'nif' | 'vat_regime'> & Partial<Pick<CompanyRow, 'territory'>>
  contact: ContactFacts | null
  /** Concept of this supplier's last invoice. */
  usualConcept: string | null
}

export interface Composed {
  content: ReceivedContent
  /** Errors first. */
  faults: Fault[]
}

/** VAT numbers outside the Union whose form names their country. */
const NAMED_OUTSIDE: readonly (readonly [RegExp, string])[] = [
  [/^XI\d{9}(\d{3})?$/, 'XI'],
  [/^GB\d{9}(\d{3})?$/, 'GB'],
  [/^CHE\d{9}(MWST|TVA|IVA)?$/, 'CH'],
  [/^NO\d{9}(MVA)?$/, 'NO'],
]

/** Returns the country of a VAT number; Greece uses EL. */
function countryOfVatNumber(nif: string | null): string | null {
  if (nif === null || checkNif(nif).ok) return null
  const outside = NAMED_OUTSIDE.find(([form]) => form.test(nif))
  if (outside) return outside[1]
  const prefix = /^([A-Z]{2})[A-Z0-9+*]{2,}$/.exec(nif)?.[1]
  if (!prefix) return null
  const country = prefix === 'EL' ? 'GR' : prefix
  return country !== 'ES' && isInUnion(country) ? country : null
}

/** Northern Ireland has VAT numbers of the Union for goods. */
const hasVatNumberOfUnion = (country: string): boolean => country === 'XI' || isInUnion(country)

function supplierOf(input: ReceivedInput, contact: ContactFacts | null): Supplier {
  const given = input.supplier
  const nif = input.supplierNif === undefined ? (contact?.nif ?? null) : trimmedOrNull(input.supplierNif)
  const bare = nif === null ? null : normalizeNif(nif) || null
  const address = given?.address === undefined ? (contact?.address ?? null) : given.address
  const byNumber = countryOfVatNumber(bare)
  const said = given?.country ?? given?.address?.country
  // A VAT number of another state overrides Spain, which forms fill in by default.
  const isOtherState = said === 'ES' && bare !== null && otherStateOf(bare) !== null
  const country = (isOtherState ? byNumber : said) ?? byNumber ?? contact?.country ?? 'ES'
  const idType =
    given?.idType === undefined
      ? (contact?.idType ??
        (byNumber !== null && byNumber === country && hasVatNumberOfUnion(byNumber) ? '02' : null))
      : given.idType
  const kept = country === 'ES' && idType !== '07' ? null : idType
  const written = nif === null ? null : writtenTaxNumber(nif, { idType: kept, country })
  return {
    name: normalizeText(input.supplierName),
    nif: bare,
    nifWritten: written === bare ? null : written,
    idType: kept,
    country,
    street: trimmedOrNull(address?.street),
    postalCode: trimmedOrNull(address?.postalCode),
    city: trimmedOrNull(address?.city),
    province: trimmedOrNull(address?.province),
  }
}

function checkSupplier(
  supplier: Supplier,
  { kind, deductible }: { kind: string; deductible: boolean },
  company: Known['company'],
): Fault[] {
  const { nif, country } = supplier
  if (nif === null) {
    if (!deductible) return []
    return [
      warning(
        'supplier_nif_missing',
        'supplierNif',
        'Without the tax number of the supplier the VAT cannot be deducted.',
        'Copy it from the invoice.',
      ),
    ]
  }
  if (nif === company.nif && kind !== 'self_billed')
    return [
      warning(
        'supplier_is_self',
        'supplierNif',
        'That is your own tax number.',
        'Check who issued it: this list is for what others invoice you.',
        { nif },
      ),
    ]
  if (country !== 'ES' || supplier.idType !== null) return []
  const check = checkNif(nif)
  if (check.ok) return []
  return [
    warning(
      check.kind === 'entity' ? 'nif_doubtful' : 'nif_invalid',
      'supplierNif',
      'The control character of the tax number does not match.',
      'Check it against the document.',
      { nif, ...(check.expected ? { expected: check.expected } : {}) },
    ),
  ]
}

function checkDates(content: ReceivedContent, today: BusinessDate): Fault[] {
  const { issueDate, receptionDate, operationDate, dueDate } = content
  const faults: Fault[] = []
  if (issueDate > today)
    faults.push(
      error(
        'issue_date_future',
        'issueDate',
        'The issue date is in the future.',
        'Copy it from the document.',
        {
          today,
        },
      ),
    )
  if (receptionDate > today)
    faults.push(
      error('reception_date_future', 'receptionDate', 'The reception date is in the future.', 'Take today.', {
        today,
      }),
    )
  else if (receptionDate < issueDate)
    faults.push(
      error(
        'reception_before_issue',
        'receptionDate',
        'It cannot have been received before it was issued.',
        'Take the day of issue or a later one.',
        { issueDate },
      ),
    )
  if (operationDate !== null && operationDate > issueDate)
    faults.push(
      warning(
        'operation_date_after_issue',
        'operationDate',
        'The operation is later than the invoice, as with an advance payment.',
        'Check it against the document.',
      ),
    )
  if (dueDate !== null && dueDate < issueDate)
    faults.push(
      error(
        'due_date_before_issue',
        'dueDate',
        'It cannot fall due before it was issued.',
        'Copy it from the document.',
        { issueDate },
      ),
    )
  return faults
}

const DEDUCTION_YEARS = 4

/**
 * Checks the quarter of the deduction. LIVA art. 99.Tres: that of the reception or a later one, within four years of
 * the accrual.
 */
function checkDeduction(content: ReceivedContent): Fault[] {
  const { deductionDate, receptionDate } = content
  const faults: Fault[] = []
  if (deductionDate !== null && deductionDate < quarterStart(receptionDate))
    faults.push(
      error(
        'deduction_too_early',
        'deductionPeriod',
        'VAT is deducted in the quarter of the reception or later.',
        'Take a later quarter, or correct the reception date.',
      ),
    )
  const accrued = content.operationDate ?? content.issueDate
  const deducted = deductionDate ?? receptionDate
  const limit = `${Number(accrued.slice(0, 4)) + DEDUCTION_YEARS}${accrued.slice(4)}`
  if (deducted > limit && content.lines.some((line) => line.deductibleCents !== 0))
    faults.push(
      warning(
        'deduction_expired',
        'receptionDate',
        'The right to deduct ends four years after the operation.',
        'Ask your adviser; set the deductible part to 0 if it has ended.',
        { limit },
      ),
    )
  return faults
}

function quarterStart(date: BusinessDate): BusinessDate {
  return quarterPeriod(Number(date.slice(0, 4)), quarterOf(date)).from
}

function withholdingOf(
  input: ReceivedInput,
  { concept, baseCents, fxRateMicro }: { concept: string; baseCents: Cents; fxRateMicro: number | null },
): { withholding: ReceivedContent['withholding']; faults: Fault[] } {
  const given = input.withholding
  if (!given || given.rate === 0) return { withholding: null, faults: [] }
  const rateBp = basisPointsFromPercent(given.rate) ?? 0
  const euros = (value: number): Cents => toEuroCents(centsFromEuros(value) ?? 0, fxRateMicro)
  const base = given.base === undefined ? baseCents : euros(given.base)
  const expected = percentOf(base, rateBp)
  const amount = given.amount === undefined ? expected : euros(given.amount)
  const faults: Fault[] = []
  if (Math.abs(amount - expected) > 1)
    faults.push(
      warning(
        'withholding_deviates',
        'withholding.amount',
        'What is withheld is not the base times the rate.',
        'Check it against the document.',
        { given: centsToText(amount), expected: centsToText(expected) },
      ),
    )
  const reason = given.reason ?? (concept === RENT_CONCEPT ? 'rent' : 'professional')
  return { withholding: { rateBp, baseCents: base, amountCents: amount, reason }, faults }
}

/** Composes a received invoice. It reads nothing: `known` holds the facts of the book. */
export function composeReceived(input: ReceivedInput, known: Known): Composed {
  const kind = input.kind ?? 'invoice'
  const supplier = supplierOf(input, known.contact)
  const currency = input.currency ?? 'EUR'
  const fxRateMicro = currency === 'EUR' || input.fxRate == null ? null : microFromNumber(input.fxRate)
  const concept = input.concept ?? input.taxLines[0]?.concept ?? known.usualConcept ?? GENERAL_CONCEPT
  const operationDate = input.operationDate ?? null
  const receptionDate = input.receptionDate ?? known.today
  // A company under cash accounting deducts as it pays, whatever regime its suppliers are under (LIVA art. 163
  // terdecies.Tres).
  const cashAccounting = input.cashAccounting ?? known.company.vat_regime === 'cash'
  const property = input.property
    ? {
        situation: input.property.situation,
        cadastralReference: trimmedOrNull(input.property.cadastralReference),
      }
    : null
  const system = taxSystemOf(known.company.territory ?? USUAL_TERRITORY)
  const regime = system.regimeOf(known.company.vat_regime)
  const setting: LineSetting = {
    system,
    paysImportSurcharge: regime?.paysImportSurcharge ?? false,
    kind,
    date: operationDate ?? input.issueDate,
    supplier: {
      // A Spanish supplier without a postal code is taken for one of the company's own area.
      place:
        supplier.country === 'ES' && !supplier.postalCode
          ? system.place
          : placeOfAddress(supplier.country, supplier.postalCode),
      hasSpanishNif: isNif(supplier.nif ?? ''),
    },
    concept,
    account: input.account ?? null,
    investmentGood: input.investmentGood ?? false,
    fxRateMicro,
    cashAccounting,
    rentsProperty: concept === RENT_CONCEPT && property !== null,
    // Exempt activities, and retailers, whose tax is in what they pay.
    deductsNothing: regime?.deducts === false,
  }
  const faults: Fault[] = []
  const lines = input.taxLines.map((line, index) => {
    const composed = composeLine(line, index, setting)
    faults.push(...composed.faults)
    return composed.line
  })
  const baseCents = lines.reduce((sum, line) => sum + line.baseCents, 0)
  const withheld = withholdingOf(input, { concept, baseCents, fxRateMicro })
  faults.push(...withheld.faults)
  const period = input.deductionPeriod
  const deduction = period ? quarterPeriod(period.year, period.quarter).from : null
  const content: ReceivedContent = {
    ...receivedHeader.ofInput(input),
    contactId: known.contact?.rowId ?? null,
    supplier,
    receptionDate,
    operationDate: operationDate === input.issueDate ? null : operationDate,
    dueDate: input.dueDate === undefined ? dueOf(input.issueDate, known.contact) : input.dueDate,
    // The quarter of the reception is the default, not a later one.
    deductionDate: deduction === quarterStart(receptionDate) ? null : deduction,
    lines,
    withholding: withheld.withholding,
    concept,
    fxRateMicro,
    cashAccounting,
    property,
    rectifies: (input.rectifies ?? []).map((one) => ({
      supplierNumber: normalizeText(one.supplierNumber),
      issueDate: one.issueDate,
    })),
  }
  faults.push(...checkWhole(content, input, known))
  const isError = (fault: Fault): number => (fault.severity === 'error' ? 0 : 1)
  return { content, faults: faults.sort((a, b) => isError(a) - isError(b)) }
}

function dueOf(issueDate: BusinessDate, contact: ContactFacts | null): BusinessDate | null {
  return contact?.paymentDays == null ? null : addDays(issueDate, contact.paymentDays)
}

/**
 * True for companies, by the first letter of the NIF (Orden EHA/451/2008): they bear withholding on rents only (RIS
 * art. 61).
 */
function isCompany(nif: string | null): boolean {
  return nif !== null && checkNif(nif).kind === 'entity' && /^[ABCDF]/.test(nif)
}

function checkWhole(content: ReceivedContent, input: ReceivedInput, known: Known): Fault[] {
  const faults: Fault[] = []
  const { kind, supplier } = content
  const deductible = content.lines.some((line) => line.deductibleCents !== 0)
  if (kind !== 'receipt' && content.supplierNumber === null)
    faults.push(
      error(
        'required',
        'supplierNumber',
        'An invoice has a number.',
        'Copy it from the document, or enter it as a receipt.',
      ),
    )
  if (content.currency !== 'EUR' && content.fxRateMicro === null)
    faults.push(
      error(
        'fx_rate_missing',
        'fxRate',
        'An invoice in another currency needs its rate.',
        'Send how many units of the currency one euro was worth on the day of the operation.',
        { currency: content.currency },
      ),
    )
  faults.push(...checkSupplier(supplier, { kind, deductible }, known.company))
  faults.push(...checkDates(content, known.today), ...checkDeduction(content), ...checkLines(content))
  if (kind === 'rectifying' && content.rectifies.length === 0)
    faults.push(
      warning(
        'rectified_missing',
        'rectifies',
        'It does not say which invoice it rectifies.',
        'Copy its number and date from the document.',
      ),
    )
  const sums = sumsOf(content)
  if (sums.totalCents < 0 && kind !== 'rectifying' && kind !== 'receipt')
    faults.push(
      warning(
        'negative_not_rectifying',
        'kind',
        'The document gives money back and is not entered as rectifying.',
        'Enter it as rectifying and say which invoice it rectifies.',
      ),
    )
  if (content.withholding?.reason === 'professional' && isCompany(supplier.nif))
    faults.push(
      warning(
        'withholding_of_company',
        'withholding',
        'A company bears no income tax withholding, except on rents of premises.',
        'Check it against the document, and choose rent where it is one.',
      ),
    )
  if (content.withholding?.reason === 'other')
    faults.push(
      warning(
        'withholding_undeclared',
        'withholding.reason',
        'No return of Sello declares a withholding that is neither of a professional nor of rent.',
        'Choose one of those where it is one; of capital or others prepare the return (such as 123) elsewhere.',
      ),
    )
  if (content.withholding?.reason === 'rent' && content.property === null)
    faults.push(
      warning(
        'property_missing',
        'property',
        'The yearly return of rents asks for the property.',
        'Give its situation and cadastral reference.',
      ),
    )
  if (
    supplier.country !== 'ES' &&
    !isNif(supplier.nif ?? '') &&
    kind !== 'customs' &&
    content.lines.some(
      (line) => line.taxTreatment === 'S1' && line.nature === 'domestic' && line.taxCents !== 0,
    )
  )
    faults.push(
      warning(
        'foreign_vat',
        'taxLines',
        'A supplier from another country without a Spanish tax number charges no Spanish VAT: it is not deducted unless you say which part.',
        "Another country's VAT is part of the base; if the operation is taxed here, declare it yourself (S2).",
        { country: supplier.country },
      ),
    )
  if (input.taxLines.length > 0 && content.lines.every((line) => line.baseCents === 0 && line.taxCents === 0))
    faults.push(
      error('total_zero', 'taxLines[0].base', 'There is nothing to enter.', 'Give the base of the document.'),
    )
  return faults
}
