/** Rules for each line of the breakdown: the fields its treatment allows, the rates in force, arithmetic, surcharge. */
import { basisPointsToText, centsToText } from '../../../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../../../domain/money.ts'
import { vatRateAt, vatRates } from '../../../../../domain/tax/vat-rates.ts'
import type { BusinessDate } from '../../../../../domain/dates.ts'
import { isSpanishParty } from '../fields.ts'
import type { BreakdownLine, RegistryInvoice } from '../fields.ts'
import { LIST_FAULT, SCHEMA_FAULT, TOLERANCE_CENTS } from './fault.ts'
import type { RuleFinding, LineRule } from './fault.ts'
import { isFull } from './kinds.ts'
import { regimeRule } from './regimes.ts'

const MAX_LINES = 12
/** The schema's largest rate is 999.99: three digits before the point. */
const MAX_RATE_BP: BasisPoints = 99_999

export function* breakdownRule(invoice: RegistryInvoice, today: BusinessDate): Iterable<RuleFinding> {
  const { length } = invoice.breakdown
  if (length < 1 || length > MAX_LINES) {
    yield {
      code: 'breakdown_size',
      authorityCode: length < 1 ? SCHEMA_FAULT : LIST_FAULT,
      field: 'breakdown',
      message: `A record has 1 to ${MAX_LINES} different combinations of tax, treatment, regime and rates.`,
      fix: 'Split the invoice in two.',
      params: { max: MAX_LINES },
    }
  }
  for (const [index, line] of invoice.breakdown.entries()) {
    for (const rule of LINE_RULES) yield* rule(line, `breakdown[${index}]`, invoice, today)
  }
}

function* treatmentRule(line: BreakdownLine, path: string, invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { taxTreatment, tax } = line
  if ((taxTreatment === 'E7' || taxTreatment === 'E8') && tax !== '03') {
    yield {
      code: 'exemption_only_igic',
      authorityCode: '1182',
      field: `${path}.taxTreatment`,
      message: `${taxTreatment} exists only for the Canary Islands' tax (IGIC).`,
      fix: 'Choose an exemption from E1 to E6.',
      params: { treatment: taxTreatment },
    }
  }
  if (taxTreatment === 'S1') yield* taxedFaults(line, path)
  else if (taxTreatment === 'S2') yield* reverseChargeFaults(line, path, invoice)
  else if (line.vatRateBp !== null || line.taxCents !== 0) {
    const exempt = taxTreatment.startsWith('E')
    yield {
      code: exempt ? 'exempt_with_rate' : 'not_subject_with_rate',
      authorityCode: untaxedCode(line, '1207'),
      field: `${path}.vatRateBp`,
      message: `${exempt ? 'An exempt line' : 'A line not subject to tax'} bears neither rate nor tax.`,
      fix: 'Take the rate away, or mark the line as taxed.',
    }
  }
  if (taxTreatment !== 'S1' && (line.surchargeRateBp !== null || line.surchargeCents !== 0)) {
    yield {
      code: 'surcharge_not_allowed',
      authorityCode: taxTreatment === 'S2' ? '1281' : untaxedCode(line, '1281'),
      field: `${path}.surchargeRateBp`,
      message: 'Only taxed lines bear the equivalence surcharge.',
      fix: 'Take the surcharge away.',
    }
  }
}

/** Returns the authority's code for a charge on a line without tax; `other` where only VAT has its own code. */
function untaxedCode({ tax, taxTreatment }: BreakdownLine, other: string): string {
  if (taxTreatment.startsWith('E')) return '1238'
  return tax === '01' ? '1237' : other
}

function* taxedFaults(line: BreakdownLine, path: string): Iterable<RuleFinding> {
  if (line.vatRateBp !== null) return
  // IPSI and other taxes may have a base at cost alone; the regime of groups (06) requires both.
  if (line.costBaseCents === null || line.regimeKey === '06') {
    yield {
      code: 'rate_required',
      authorityCode: line.regimeKey === '06' ? '1209' : '1208',
      field: `${path}.vatRateBp`,
      message: 'A taxed line needs its rate.',
      fix: 'Choose the rate.',
    }
  } else if (line.taxCents !== 0) {
    yield {
      code: 'tax_without_rate',
      authorityCode: '1208',
      field: `${path}.vatRateBp`,
      message: 'A line that bears tax says its rate.',
      fix: 'Choose the rate.',
    }
  }
}

function* reverseChargeFaults(
  line: BreakdownLine,
  path: string,
  invoice: RegistryInvoice,
): Iterable<RuleFinding> {
  if (line.vatRateBp !== 0 || line.taxCents !== 0) {
    yield {
      code: 'reverse_charge_rate',
      authorityCode: '1198',
      field: `${path}.vatRateBp`,
      message: 'Under reverse charge rate and tax are zero: the customer accounts for it.',
      fix: 'Set the rate to 0.',
    }
  }
  if (!isFull(invoice.kind)) {
    yield {
      code: 'reverse_charge_kind',
      authorityCode: '1197',
      field: `${path}.taxTreatment`,
      message: 'Reverse charge needs a full invoice.',
      fix: "Issue a full invoice (F1) with the customer's data.",
    }
  }
}

function* rateFormRule(line: BreakdownLine, path: string): Iterable<RuleFinding> {
  for (const field of ['vatRateBp', 'surchargeRateBp'] as const) {
    const rateBp = line[field]
    if (rateBp === null || (Number.isInteger(rateBp) && rateBp >= 0 && rateBp <= MAX_RATE_BP)) continue
    yield {
      code: 'rate_form',
      authorityCode: SCHEMA_FAULT,
      field: `${path}.${field}`,
      message: 'A rate is between 0 and 999.99 %, with at most two decimals.',
      fix: 'Correct the rate.',
    }
  }
}

/** Checks rates of VAT only: the registry does not check those of IPSI, IGIC and other taxes. */
function* vatRateRule(line: BreakdownLine, path: string, invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { vatRateBp, surchargeRateBp } = line
  if (line.tax !== '01' || line.taxTreatment !== 'S1' || vatRateBp === null) return
  const date = invoice.operationDate ?? invoice.issueDate
  const row = vatRateAt(vatRateBp, date)
  if (!row) {
    const once = vatRates.some((rate) => rate.rateBp === vatRateBp)
    yield {
      code: once ? 'vat_rate_not_in_force' : 'vat_rate_unknown',
      authorityCode: ENDED_RATES[vatRateBp] ?? '1124',
      field: `${path}.vatRateBp`,
      message: `${basisPointsToText(vatRateBp)} % is no VAT rate on ${date}.`,
      fix: 'Choose a rate in force on the day of the operation.',
      params: { rate: vatRateBp / 100, date },
    }
  } else if (surchargeRateBp !== null && !row.surchargesBp.includes(surchargeRateBp)) {
    const rate = basisPointsToText(vatRateBp)
    const surcharge = basisPointsToText(surchargeRateBp)
    yield {
      code: 'surcharge_pair',
      authorityCode: surchargeCode(vatRateBp, surchargeRateBp, date),
      field: `${path}.surchargeRateBp`,
      message: `${surcharge} % is no surcharge of the ${rate} % rate on ${date}.`,
      fix: 'Choose the surcharge that belongs to the rate.',
      params: { rate: vatRateBp / 100, surcharge: surchargeRateBp / 100 },
    }
  }
}

/**
 * Codes of rates no longer in force: those from before September 2012, and the temporary ones of the years of high
 * prices.
 */
const ENDED_RATES: Record<BasisPoints, string> = {
  700: '1132',
  800: '1132',
  1600: '1132',
  1800: '1132',
  500: '1194',
  200: '1235',
  750: '1236',
}
/** Code by rate for a surcharge that the rate does not admit. */
const PAIR_CODES: Record<BasisPoints, string> = {
  2100: '1162',
  1000: '1163',
  750: '1169',
  400: '1164',
  200: '1166',
}
/** The surcharge of the general rate until August 2012. */
const ENDED_SURCHARGE_BP: BasisPoints = 400

function surchargeCode(rateBp: BasisPoints, surchargeBp: BasisPoints, date: BusinessDate): string {
  if (surchargeBp === ENDED_SURCHARGE_BP) return '1135'
  if (!vatRates.some(({ surchargesBp }) => surchargesBp.includes(surchargeBp))) return '1127'
  // Both surcharges for the rate of 5 % are correct, each in its own half of the period.
  if (rateBp === 500) return surchargeBp === 50 ? '1167' : surchargeBp === 62 ? '1168' : '1160'
  if (rateBp !== 0) return PAIR_CODES[rateBp] ?? '1127'
  if (date < '2023-01-01') return '1277'
  return date < '2024-10-01' ? '1165' : '1170'
}

function* surchargeRule(line: BreakdownLine, path: string): Iterable<RuleFinding> {
  if (line.taxTreatment !== 'S1' || line.surchargeRateBp !== null || line.surchargeCents === 0) return
  yield {
    code: 'surcharge_rate_required',
    authorityCode: '1284',
    field: `${path}.surchargeRateBp`,
    message: 'A surcharge amount needs its rate.',
    fix: 'Choose the rate of the surcharge.',
  }
}

function* costBaseRule(line: BreakdownLine, path: string): Iterable<RuleFinding> {
  const { costBaseCents, regimeKey, tax } = line
  if (costBaseCents === null || regimeKey === '06' || tax === '02' || tax === '05') return
  yield {
    code: 'cost_base_not_allowed',
    authorityCode: '1257',
    field: `${path}.costBaseCents`,
    message: 'A base at cost belongs to groups of entities (06), to IPSI and to other taxes.',
    fix: 'Leave the base at cost out.',
  }
}

/** Checks the tax against base and rate. Corrections by difference, and R2 and R3, are exempt. */
function* arithmeticRule(line: BreakdownLine, path: string, invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { kind, rectification } = invoice
  if (kind === 'R2' || kind === 'R3' || rectification?.method === 'I') return
  const { taxTreatment, vatRateBp, taxCents, costBaseCents } = line
  if (taxTreatment !== 'S1' || vatRateBp === null) return
  const baseCents = costBaseCents ?? line.baseCents
  // A value that is not an amount has its own fault.
  if (![baseCents, taxCents, vatRateBp].every(Number.isSafeInteger)) return
  const atCost = costBaseCents !== null
  if (taxCents !== 0 && baseCents !== 0 && taxCents > 0 !== baseCents > 0) {
    yield {
      code: 'tax_sign',
      authorityCode: atCost ? '1140' : '1143',
      field: `${path}.taxCents`,
      message: `Tax and base${atCost ? ' at cost' : ''} have different signs.`,
      fix: 'Recalculate the invoice.',
    }
  }
  if (!isWithinTolerance(baseCents, vatRateBp, taxCents)) {
    yield {
      code: 'tax_amount',
      authorityCode: atCost ? '1144' : '1142',
      field: `${path}.taxCents`,
      message: `A tax of ${centsToText(taxCents)} does not fit ${basisPointsToText(vatRateBp)} % of ${centsToText(baseCents)}.`,
      fix: 'Recalculate the invoice.',
    }
  }
}

/**
 * Returns true if the tax is within the tolerance. Computed exactly, not on rounded cents: half a cent beyond the
 * tolerance is beyond it.
 */
function isWithinTolerance(baseCents: Cents, rateBp: BasisPoints, taxCents: Cents): boolean {
  const difference = BigInt(taxCents) * 10_000n - BigInt(baseCents) * BigInt(rateBp)
  const limit = BigInt(TOLERANCE_CENTS) * 10_000n
  return difference <= limit && difference >= -limit
}

function* intraCommunityRule(
  line: BreakdownLine,
  path: string,
  { recipients }: RegistryInvoice,
): Iterable<RuleFinding> {
  if (line.tax !== '01' || line.taxTreatment !== 'E5' || !recipients.some((one) => isSpanishParty(one)))
    return
  yield {
    code: 'intra_community_recipient',
    authorityCode: '1289',
    field: `${path}.taxTreatment`,
    message: 'An intra-Community supply (E5) goes to a customer identified in another country.',
    fix: "Give the customer's EU VAT number, or choose another tax treatment.",
  }
}

const LINE_RULES: readonly LineRule[] = [
  treatmentRule,
  rateFormRule,
  vatRateRule,
  surchargeRule,
  costBaseRule,
  arithmeticRule,
  regimeRule,
  intraCommunityRule,
]
