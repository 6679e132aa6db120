/** Rules for the breakdown and the lines: what the lists admit, rates by date, arithmetic, and the sums. */
import { basisPointsToText, centsToText, percentOf } from '../../../../domain/money.ts'
import type { Cents } from '../../../../domain/money.ts'
import { vatRateAt } from '../../../../domain/tax/vat-rates.ts'
import type { ContentBreakdown, InvoiceContent } from '../content.ts'
import { isBySupply, isSpanishParty, regimeKeyHere } from '../facts.ts'
import type { BreakdownLine, TicketBaiInvoice } from '../facts.ts'
import { EXEMPTIONS, MOST, REGIME_KEYS, TAXED_TYPES } from '../lists.ts'
import { SERVICE, textFindings } from './fault.ts'
import type { Finding, SealingContext } from './fault.ts'

/** Differences of arithmetic that are reported; smaller ones come from rounding. */
const TOLERANCE_CENTS: Cents = 1_000
const MAX_CENTS: Cents = 99_999_999_999_999
const MAX_RATE_BP = 99_999
/** A cent in hundred-millionths of a euro. */
const FINE_CENT = 1_000_000n
/** Regimes in which the total holds more than bases and taxes, or is stated otherwise. */
const TOTAL_STANDS_APART: readonly string[] = ['03', '05', '06', '08', '09', '17']

/** Checks the tax rows of an invoice; `content` is the file's own form of them. */
export function* breakdownFindings(
  invoice: TicketBaiInvoice,
  content: InvoiceContent,
  { profile }: SealingContext,
): Iterable<Finding> {
  yield* keyFindings(content.regimeKeys, profile)
  if (invoice.breakdown.length === 0) yield size('breakdown', 'An invoice has at least one row of tax.', 1)
  for (const [index, line] of invoice.breakdown.entries())
    yield* lineFindings(line, `breakdown[${index}]`, invoice)
  const { breakdown } = content
  const parts = breakdown.by === 'invoice' ? [breakdown.whole] : [breakdown.services, breakdown.goods]
  for (const part of parts) if (part) yield* sizeFindings(part)
  if (isBySupply(invoice.recipients)) yield* supplyFindings(invoice)
  yield* totalFindings(invoice)
}

function size(field: string, message: string, max: number): Finding {
  return {
    code: 'breakdown_size',
    authorityCode: SERVICE.schema,
    field,
    message,
    fix: 'Split the invoice in two.',
    params: { max },
  }
}

function* keyFindings(keys: readonly string[], profile: SealingContext['profile']): Iterable<Finding> {
  if (keys.length > MOST.regimeKeys)
    yield {
      code: 'regime_keys_count',
      authorityCode: SERVICE.schema,
      field: 'breakdown',
      message: `An invoice names at most ${MOST.regimeKeys} regimes.`,
      fix: 'Split the invoice.',
      params: { max: MOST.regimeKeys },
    }
  for (const key of keys) {
    if (!REGIME_KEYS.has(key))
      yield {
        code: 'regime_not_here',
        authorityCode: SERVICE.schema,
        field: 'breakdown',
        message: `This registry has no regime ${key}.`,
        fix: 'Choose another regime.',
        params: { key },
      }
    else if (profile.doubtfulKeys.includes(key))
      yield {
        code: 'regime_doubtful',
        severity: 'warning',
        authorityCode: SERVICE.content,
        field: 'breakdown',
        message: `The treasury of ${profile.province} has refused regime ${key} in reports of other programs.`,
        fix: 'Ask the treasury before you issue.',
        params: { key, province: profile.province },
      }
  }
}

function* sizeFindings({ taxed, exempt, notSubject }: ContentBreakdown): Iterable<Finding> {
  for (const { details } of taxed)
    if (details.length > MOST.vatDetails)
      yield size('breakdown', `An invoice has at most ${MOST.vatDetails} rates of one kind.`, MOST.vatDetails)
  if (exempt.length > MOST.exemptions || notSubject.length > MOST.notSubject)
    yield size('breakdown', 'An invoice has too many causes.', MOST.exemptions)
}

function* lineFindings(line: BreakdownLine, path: string, invoice: TicketBaiInvoice): Iterable<Finding> {
  const { tax, taxTreatment } = line
  if (tax !== '01')
    yield {
      code: 'tax_not_here',
      authorityCode: SERVICE.content,
      field: `${path}.tax`,
      message: 'The treasuries of TicketBAI take VAT only.',
      fix: 'Issue from an establishment of that territory, or ask the treasury.',
      params: { tax },
    }
  if (taxTreatment === 'S1' || taxTreatment === 'S2') yield* taxedFindings(line, path, invoice)
  else yield* untaxedFindings(line, path, invoice)
  for (const field of ['baseCents', 'taxCents', 'surchargeCents'] as const)
    if (!Number.isSafeInteger(line[field]) || Math.abs(line[field]) > MAX_CENTS)
      yield amount(`${path}.${field}`)
}

const amount = (field: string): Finding => ({
  code: 'amount_form',
  authorityCode: SERVICE.schema,
  field,
  message: 'An amount has at most 12 digits before the point and two after it.',
  fix: 'Correct the amount.',
})

function* untaxedFindings(
  line: BreakdownLine,
  path: string,
  { recipients }: TicketBaiInvoice,
): Iterable<Finding> {
  const { taxTreatment } = line
  const isExempt = taxTreatment.startsWith('E')
  if (isExempt && !(EXEMPTIONS as readonly string[]).includes(taxTreatment))
    yield {
      code: 'exemption_only_igic',
      authorityCode: SERVICE.schema,
      field: `${path}.taxTreatment`,
      message: `${taxTreatment} exists only for the Canary Islands' tax (IGIC).`,
      fix: 'Choose an exemption from E1 to E6.',
      params: { treatment: taxTreatment },
    }
  if (line.vatRateBp !== null || line.taxCents !== 0)
    yield {
      code: isExempt ? 'exempt_with_rate' : 'not_subject_with_rate',
      authorityCode: SERVICE.content,
      field: `${path}.vatRateBp`,
      message: `${isExempt ? 'An exempt line' : 'A line not subject to tax'} bears neither rate nor tax.`,
      fix: 'Take the rate away, or mark the line as taxed.',
    }
  if (taxTreatment === 'E5' && !recipients.some((one) => !isSpanishParty(one) && one.idType === '02'))
    yield {
      code: 'intra_community_recipient',
      authorityCode: SERVICE.content,
      field: `${path}.taxTreatment`,
      message: 'An intra-Community supply (E5) goes to a customer with an EU VAT number of another country.',
      fix: "Give the customer's EU VAT number, or choose another tax treatment.",
    }
}

function* taxedFindings(line: BreakdownLine, path: string, invoice: TicketBaiInvoice): Iterable<Finding> {
  const { taxTreatment, vatRateBp, taxCents, surchargeRateBp, surchargeCents } = line
  const isReverse = taxTreatment === TAXED_TYPES[1]
  if (isReverse && (vatRateBp !== 0 || taxCents !== 0 || surchargeRateBp !== null))
    yield {
      code: 'reverse_charge_rate',
      authorityCode: SERVICE.content,
      field: `${path}.vatRateBp`,
      message: 'Under reverse charge rate and tax are zero: the customer accounts for it.',
      fix: 'Set the rate to 0.',
    }
  if (isReverse && (invoice.kind === 'F2' || invoice.kind === 'R5'))
    yield {
      code: 'reverse_charge_kind',
      authorityCode: SERVICE.content,
      field: `${path}.taxTreatment`,
      message: 'Reverse charge needs a full invoice.',
      fix: "Issue a full invoice with the customer's data.",
    }
  if (isReverse) return
  if (vatRateBp === null) {
    yield {
      code: 'rate_required',
      authorityCode: SERVICE.content,
      field: `${path}.vatRateBp`,
      message: 'A taxed line needs its rate.',
      fix: 'Choose the rate.',
    }
    return
  }
  if (!Number.isInteger(vatRateBp) || vatRateBp < 0 || vatRateBp > MAX_RATE_BP) {
    yield {
      code: 'rate_form',
      authorityCode: SERVICE.schema,
      field: `${path}.vatRateBp`,
      message: 'A rate is between 0 and 999.99 %, with at most two decimals.',
      fix: 'Correct the rate.',
    }
    return
  }
  const date = invoice.operationDate ?? invoice.issueDate
  const row = vatRateAt(vatRateBp, date)
  const rate = basisPointsToText(vatRateBp)
  if (!row)
    yield {
      code: 'vat_rate_not_in_force',
      authorityCode: SERVICE.content,
      field: `${path}.vatRateBp`,
      message: `${rate} % is no VAT rate on ${date}.`,
      fix: 'Choose a rate in force on the day of the operation.',
      params: { rate: vatRateBp / 100, date },
    }
  else if (surchargeRateBp !== null && !row.surchargesBp.includes(surchargeRateBp))
    yield {
      code: 'surcharge_pair',
      authorityCode: SERVICE.content,
      field: `${path}.surchargeRateBp`,
      message: `${basisPointsToText(surchargeRateBp)} % is no surcharge of the ${rate} % rate on ${date}.`,
      fix: 'Choose the surcharge that belongs to the rate.',
      params: { rate: vatRateBp / 100, surcharge: surchargeRateBp / 100 },
    }
  if (surchargeRateBp === null && surchargeCents !== 0)
    yield {
      code: 'surcharge_rate_required',
      authorityCode: SERVICE.content,
      field: `${path}.surchargeRateBp`,
      message: 'A surcharge amount needs its rate.',
      fix: 'Choose the rate of the surcharge.',
    }
  yield* arithmeticFindings(line, path, invoice)
}

/** Corrections by difference, and those for debts (R2, R3), may state a tax without its base. */
function* arithmeticFindings(
  line: BreakdownLine,
  path: string,
  invoice: TicketBaiInvoice,
): Iterable<Finding> {
  const { kind, rectification } = invoice
  const { vatRateBp, taxCents } = line
  const baseCents = line.costBaseCents ?? line.baseCents
  if (kind === 'R2' || kind === 'R3' || rectification?.method === 'I' || vatRateBp === null) return
  if (Math.abs(taxCents - percentOf(baseCents, vatRateBp)) <= TOLERANCE_CENTS) return
  yield {
    code: 'tax_amount',
    authorityCode: SERVICE.content,
    field: `${path}.taxCents`,
    message: `A tax of ${centsToText(taxCents)} does not fit ${basisPointsToText(vatRateBp)} % of ${centsToText(baseCents)}.`,
    fix: 'Recalculate the invoice.',
  }
}

/** Customers abroad: goods and services are apart, and an intra-Community supply or an import exemption is of goods. */
function* supplyFindings({ breakdown, detail }: TicketBaiInvoice): Iterable<Finding> {
  for (const [index, { taxTreatment }] of breakdown.entries()) {
    const supply = detail.supplies[index] ?? null
    const unsaidLine = detail.unsaidLines[index] ?? null
    const field = unsaidLine === null ? `breakdown[${index}].supply` : `lines[${unsaidLine}].supply`
    if (supply === null)
      yield {
        code: 'supply_required',
        authorityCode: SERVICE.schema,
        field,
        message: 'An invoice to a customer abroad says what are goods and what are services.',
        fix: 'Say for each line whether it is goods or services.',
      }
    else if (taxTreatment === 'E5' && supply === 'services')
      yield {
        code: 'supply_not_goods',
        authorityCode: SERVICE.content,
        field,
        message: 'An intra-Community supply (E5) is of goods.',
        fix: 'Choose N2 for services to a business in another country.',
      }
  }
}

function* totalFindings(invoice: TicketBaiInvoice): Iterable<Finding> {
  const { breakdown, totalCents, detail } = invoice
  if (!Number.isSafeInteger(totalCents) || Math.abs(totalCents) > MAX_CENTS) {
    yield amount('totalCents')
    return
  }
  if (breakdown.some(({ regimeKey }) => TOTAL_STANDS_APART.includes(regimeKeyHere(regimeKey ?? '')))) return
  const sum = breakdown.reduce(
    (total, { baseCents, taxCents, surchargeCents }) => total + baseCents + taxCents + surchargeCents,
    0,
  )
  if (Math.abs(sum - totalCents) > TOLERANCE_CENTS)
    yield {
      code: 'total',
      authorityCode: SERVICE.content,
      field: 'totalCents',
      message: `A total of ${centsToText(totalCents)} does not fit the sum of ${centsToText(sum)}.`,
      fix: 'Recalculate the invoice.',
    }
  const written = detail.lines.reduce((all, line) => all + line.total, 0n)
  const difference = written - BigInt(totalCents) * FINE_CENT
  // Rows of tax are rounded once in base and tax; with prices that include it, each line is rounded as well.
  const rounding = BigInt(breakdown.length * 2 + detail.lines.length) * FINE_CENT
  if (difference > rounding || difference < -rounding)
    yield {
      code: 'lines_total',
      severity: 'warning',
      authorityCode: SERVICE.content,
      field: 'lines',
      message: 'The lines do not add up to the total.',
      fix: 'Recalculate the invoice.',
    }
}

const MOST_FINE = 10n ** 20n

/** Checks the lines: at least one, since a service refuses an invoice without lines. */
export function* detailFindings({ detail }: TicketBaiInvoice): Iterable<Finding> {
  const { lines } = detail
  if (lines.length === 0)
    yield {
      code: 'lines_missing',
      authorityCode: SERVICE.lines,
      field: 'lines',
      message: 'An invoice has at least one line that is not paid in the name of the customer.',
      fix: 'Add a line.',
    }
  if (lines.length > MOST.lines)
    yield {
      code: 'lines_count',
      authorityCode: SERVICE.schema,
      field: 'lines',
      message: `An invoice has at most ${MOST.lines} lines.`,
      fix: 'Split the invoice.',
      params: { max: MOST.lines },
    }
  for (const [index, line] of lines.entries()) {
    const path = `lines[${index}]`
    // A longer description is shortened in the file.
    yield* textFindings(line.description, `${path}.description`, {
      longest: Number.MAX_SAFE_INTEGER,
      what: 'The description of a line',
    })
    for (const value of [line.quantity, line.unitPrice, line.discount ?? 0n, line.total])
      if (value >= MOST_FINE || value <= -MOST_FINE) yield amount(path)
  }
}
