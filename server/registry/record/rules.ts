/**
 * The authority's rules for F1 and F2 records, asked before anything is issued: an issued number with a rejected record
 * is work for a person. Source: AEAT, validations and errors of billing records 1.2.2; codes are the authority's.
 */
import { addYears } from '../../core/dates.ts'
import { basisPointsToText, centsToText, MAX_CENTS, percentOf } from '../../core/money.ts'
import { checkNif } from '../../core/nif.ts'
import { vatRateAt, vatRates } from '../../core/vat-rates.ts'
import { isSpanishParty } from './fields.ts'
import { COUNTRIES, isEuVatNumber } from './parties.ts'
import type { BusinessDate } from '../../core/dates.ts'
import type { Cents } from '../../core/money.ts'
import type { BreakdownLine, ForeignParty, RegistryInvoice, SpanishParty } from './fields.ts'

export interface RuleFault {
  code: string
  /** The authority's code for the same fault, as it would answer. */
  authorityCode: string
  /** Dotted path in RegistryInvoice. */
  field: string
  severity: 'error' | 'warning'
  message: string
  fix: string
}

/** Arithmetic differences the authority lets pass. */
const TOLERANCE_CENTS: Cents = 1_000
/** Simplified invoices above this need another kind (RD 1619/2012 art. 4.2). */
const SIMPLIFIED_LIMIT_CENTS: Cents = 300_000
/** The first day invoices can be registered: Orden HAC/1177/2024 was published on it. */
const FIRST_ISSUE_DATE: BusinessDate = '2024-10-28'
const MAX_BREAKDOWN_LINES = 12
/** The registry's regime keys for VAT (list L8A). */
const VAT_REGIMES = '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' ')
/** Regimes whose totals do not follow from the breakdown. */
const REGIMES_WITHOUT_SUMS = ['03', '05', '06', '08', '09']
/** VAT that falls due later than the invoice: public works and successive supplies. */
const PENDING_VAT_REGIMES = ['14', '15']

type Found = Omit<RuleFault, 'severity'> & { severity?: RuleFault['severity'] }
type Rule = (invoice: RegistryInvoice, today: BusinessDate) => Iterable<Found>
type LineRule = (line: BreakdownLine, path: string, invoice: RegistryInvoice) => Iterable<Found>

/** Everything the authority would object to, in the order of the record; empty when it would accept. */
export function checkRecord(invoice: RegistryInvoice, today: BusinessDate): RuleFault[] {
  const faults: RuleFault[] = []
  for (const rule of RULES) {
    for (const found of rule(invoice, today)) faults.push({ severity: 'error', ...found })
  }
  return faults
}

function* issuerRule({ issuer }: RegistryInvoice): Iterable<Found> {
  yield* nifFaults(issuer.nif, 'issuer.nif', '1123')
  yield* nameFaults(issuer.name, 'issuer.name')
}

function* numberRule({ number }: RegistryInvoice): Iterable<Found> {
  if (number.length < 1 || number.length > 60 || number.trim() !== number) {
    yield {
      code: 'number_length',
      authorityCode: '1104',
      field: 'number',
      message: 'The invoice number must have 1 to 60 characters and no blanks around it.',
      fix: 'Shorten the code of the series.',
    }
  }
  if (/[^\u0020-\u007e]/.test(number)) {
    yield {
      code: 'number_not_ascii',
      authorityCode: '1130',
      field: 'number',
      message: 'The invoice number may only have plain letters, digits and signs (no accents, no ñ).',
      fix: 'Use a series code of plain letters and digits.',
    }
  }
  if (/["'<>=]/.test(number)) {
    yield {
      code: 'number_forbidden_character',
      authorityCode: '1287',
      field: 'number',
      message: 'The invoice number may not hold any of " \' < > =.',
      fix: 'Take the character out of the code of the series.',
    }
  }
}

function* dateRule(invoice: RegistryInvoice, today: BusinessDate): Iterable<Found> {
  const { issueDate, operationDate } = invoice
  if (issueDate > today) {
    yield {
      code: 'issue_date_in_future',
      authorityCode: '1112',
      field: 'issueDate',
      message: 'The issue date is in the future.',
      fix: "Issue with today's date.",
    }
  }
  if (issueDate < FIRST_ISSUE_DATE) {
    yield {
      code: 'issue_date_too_old',
      authorityCode: '1152',
      field: 'issueDate',
      message: `The issue date is before ${FIRST_ISSUE_DATE}, the first the registry takes.`,
      fix: "Issue with today's date and give the older day as operation date.",
    }
  }
  if (operationDate === null) return
  const pending = invoice.breakdown.some((line) => PENDING_VAT_REGIMES.includes(line.regimeKey ?? ''))
  const field = 'operationDate'
  if (operationDate < addYears(today, -20)) {
    yield {
      code: 'operation_date_too_old',
      authorityCode: '1134',
      field,
      message: 'The operation date is more than 20 years ago.',
      fix: 'Correct the operation date.',
    }
  }
  if (operationDate > addYears(today, 1)) {
    yield {
      code: 'operation_date_too_late',
      authorityCode: '1125',
      field,
      message: 'The operation date is more than a year ahead.',
      fix: 'Correct the operation date.',
    }
  } else if (operationDate > today && !pending) {
    yield {
      code: 'operation_date_in_future',
      authorityCode: '1173',
      field,
      message: 'Only regimes 14 and 15 (VAT not yet due) admit an operation date in the future.',
      fix: 'Correct the operation date, or invoice when the operation has taken place.',
    }
  } else if (operationDate > issueDate && !pending) {
    yield {
      code: 'operation_after_issue',
      authorityCode: '1146',
      field,
      message: 'Only regimes 14 and 15 (VAT not yet due) admit an operation date after the issue date.',
      fix: 'Correct the operation date.',
    }
  }
}

function* kindRule(invoice: RegistryInvoice): Iterable<Found> {
  if (invoice.kind === 'F2' && invoice.simplifiedArt7273) {
    yield {
      code: 'flag_7273_not_allowed',
      authorityCode: '1183',
      field: 'simplifiedArt7273',
      message:
        'A simplified invoice that identifies its customer is registered as F1 with this mark, not as F2.',
      fix: 'Change the kind to F1.',
    }
  }
  if (invoice.kind === 'F1' && invoice.withoutRecipientArt61d) {
    yield {
      code: 'flag_61d_not_allowed',
      authorityCode: '1185',
      field: 'withoutRecipientArt61d',
      message: 'An F1 invoice always identifies its customer.',
      fix: 'Change the kind to F2, or take the mark away.',
    }
  }
  if (invoice.kind === 'F2' && !invoice.withoutRecipientArt61d) {
    const amountCents = invoice.breakdown.reduce((sum, line) => sum + line.baseCents + line.taxCents, 0)
    if (amountCents > SIMPLIFIED_LIMIT_CENTS + TOLERANCE_CENTS) {
      yield {
        code: 'simplified_limit',
        authorityCode: '1150',
        field: 'totalCents',
        message: `A simplified invoice cannot exceed ${centsToText(SIMPLIFIED_LIMIT_CENTS)} EUR, VAT included.`,
        fix: "Issue a full invoice (F1) with the customer's data.",
      }
    }
  }
}

function* descriptionRule({ description }: RegistryInvoice): Iterable<Found> {
  const { length } = [...description.trim()]
  if (length >= 1 && length <= 500) return
  yield {
    code: 'description_length',
    authorityCode: '1100',
    field: 'description',
    message: 'The description of the operation must have 1 to 500 characters.',
    fix: 'Write a short description of what is invoiced.',
  }
}

function* recipientRule(invoice: RegistryInvoice): Iterable<Found> {
  const { kind } = invoice
  const [recipient = null] = invoice.recipients
  if (kind === 'F1' && recipient === null) {
    yield {
      code: 'recipient_required',
      authorityCode: '1189',
      field: 'recipient',
      message: "A full invoice needs the customer's name and tax number.",
      fix: 'Fill in the customer, or issue a simplified invoice (F2).',
    }
  }
  if (kind === 'F2' && recipient !== null) {
    yield {
      code: 'recipient_not_allowed',
      authorityCode: '1190',
      field: 'recipient',
      message: 'The record of a simplified invoice names no customer.',
      fix: 'Issue a full invoice (F1), or leave the customer out of the record.',
    }
  }
  if (recipient === null) return
  yield* nameFaults(recipient.name, 'recipient.name')
  if (isSpanishParty(recipient)) yield* spanishPartyFaults(recipient, invoice)
  else yield* foreignPartyFaults(recipient)
}

function* spanishPartyFaults(recipient: SpanishParty, invoice: RegistryInvoice): Iterable<Found> {
  yield* nifFaults(recipient.nif, 'recipient.nif', '1123')
  if (recipient.nif === invoice.issuer.nif) {
    yield {
      code: 'recipient_is_issuer',
      authorityCode: '1193',
      field: 'recipient.nif',
      severity: 'warning',
      message: 'The customer is the issuer.',
      fix: 'Right only for a self-supply; otherwise choose the customer.',
    }
  }
}

function* foreignPartyFaults(recipient: ForeignParty): Iterable<Found> {
  const { country, id, idType } = recipient
  if (id.trim() === '' || id.length > 20) {
    yield {
      code: 'recipient_id_length',
      authorityCode: '1103',
      field: 'recipient.id',
      message: "The customer's identification must have 1 to 20 characters.",
      fix: 'Correct the identification.',
    }
    return
  }
  if (idType === '02') {
    if (id.startsWith('GB')) {
      yield {
        code: 'recipient_vat_gb',
        authorityCode: '1255',
        field: 'recipient.id',
        message: "British VAT numbers are no EU VAT numbers since 2021; Northern Ireland's begin with XI.",
        fix: 'Identify the customer with type 04 and country GB.',
      }
    } else if (!isEuVatNumber(id)) {
      yield {
        code: 'recipient_vat_number',
        authorityCode: '1103',
        field: 'recipient.id',
        message: 'This is no EU VAT number: two letters of the country, then its own form, without blanks.',
        fix: 'Correct the number, or choose another kind of identification.',
      }
    }
    return
  }
  if (country === '') {
    yield {
      code: 'recipient_country_required',
      authorityCode: '1111',
      field: 'recipient.country',
      message: 'The country of the customer is missing.',
      fix: 'Fill in the country.',
    }
  } else if (!COUNTRIES.has(country)) {
    yield {
      code: 'recipient_country',
      authorityCode: '1101',
      field: 'recipient.country',
      message: 'The registry does not know this country code.',
      fix: 'Use the two capital letters of ISO 3166.',
    }
  } else if ((country === 'ES') !== (idType === '07') && !(country === 'ES' && idType === '03')) {
    yield {
      code: 'recipient_country_type',
      authorityCode: '1126',
      field: 'recipient.idType',
      message:
        'With country ES only a passport (03) or "not in the census" (07) is admitted, and 07 only with ES.',
      fix: 'Correct the country, or identify the customer with a Spanish tax number.',
    }
  }
  if (idType === '07') {
    const check = checkNif(id)
    if (!check.ok || check.nif !== id || check.kind === 'entity') {
      yield {
        code: 'recipient_uncensused_nif',
        authorityCode: '1131',
        field: 'recipient.id',
        message: 'Type 07 takes the Spanish tax number of a natural person.',
        fix: 'Correct the number, or choose another kind of identification.',
      }
    }
  }
}

function* breakdownRule(invoice: RegistryInvoice): Iterable<Found> {
  const { length } = invoice.breakdown
  if (length < 1 || length > MAX_BREAKDOWN_LINES) {
    yield {
      code: 'breakdown_size',
      authorityCode: '4102',
      field: 'breakdown',
      message: `A record has 1 to ${MAX_BREAKDOWN_LINES} different combinations of treatment, regime and rates.`,
      fix: 'Split the invoice in two.',
    }
  }
  for (const [index, line] of invoice.breakdown.entries()) {
    for (const rule of LINE_RULES) yield* rule(line, `breakdown[${index}]`, invoice)
  }
}

function* treatmentRule(line: BreakdownLine, path: string, invoice: RegistryInvoice): Iterable<Found> {
  const { taxTreatment } = line
  if (taxTreatment === 'E7' || taxTreatment === 'E8') {
    yield {
      code: 'exemption_not_vat',
      authorityCode: '1182',
      field: `${path}.taxTreatment`,
      message: `${taxTreatment} exists only for the Canary Islands' tax (IGIC).`,
      fix: 'Choose an exemption from E1 to E6.',
    }
  }
  if (taxTreatment === 'S1') {
    if (line.vatRateBp === null) {
      yield {
        code: 'vat_rate_required',
        authorityCode: '1208',
        field: `${path}.vatRate`,
        message: 'A taxed line needs its VAT rate.',
        fix: 'Choose the rate.',
      }
    }
    return
  }
  if (taxTreatment === 'S2') {
    if (line.vatRateBp !== 0 || line.taxCents !== 0) {
      yield {
        code: 'reverse_charge_rate',
        authorityCode: '1198',
        field: `${path}.vatRate`,
        message: 'Under reverse charge rate and VAT are zero: the customer accounts for it.',
        fix: 'Set the rate to 0.',
      }
    }
    if (invoice.kind !== 'F1') {
      yield {
        code: 'reverse_charge_kind',
        authorityCode: '1197',
        field: `${path}.taxTreatment`,
        message: 'Reverse charge needs a full invoice.',
        fix: "Issue a full invoice (F1) with the customer's data.",
      }
    }
  } else if (line.vatRateBp !== null || line.taxCents !== 0) {
    const exempt = taxTreatment.startsWith('E')
    yield {
      code: exempt ? 'exempt_with_rate' : 'not_subject_with_rate',
      authorityCode: exempt ? '1238' : '1237',
      field: `${path}.vatRate`,
      message: `${exempt ? 'An exempt line' : 'A line not subject to VAT'} bears neither rate nor VAT.`,
      fix: 'Take the rate away, or mark the line as taxed.',
    }
  }
  if (line.surchargeRateBp !== null || line.surchargeCents !== 0) {
    yield {
      code: 'surcharge_not_allowed',
      authorityCode: '1281',
      field: `${path}.surchargeRate`,
      message: 'Only taxed lines bear the equivalence surcharge.',
      fix: 'Take the surcharge away.',
    }
  }
}

function* rateRule(line: BreakdownLine, path: string, invoice: RegistryInvoice): Iterable<Found> {
  if (line.taxTreatment !== 'S1' || line.vatRateBp === null) return
  const date = invoice.operationDate ?? invoice.issueDate
  const row = vatRateAt(line.vatRateBp, date)
  if (!row) {
    const once = vatRates.some((rate) => rate.rateBp === line.vatRateBp)
    const codes: Record<number, string> = { 500: '1194', 200: '1235', 750: '1235' }
    yield {
      code: once ? 'vat_rate_not_in_force' : 'vat_rate_unknown',
      authorityCode: codes[line.vatRateBp] ?? '1124',
      field: `${path}.vatRate`,
      message: `${basisPointsToText(line.vatRateBp)} % is no VAT rate on ${date}.`,
      fix: 'Choose a rate in force on the day of the operation.',
    }
    return
  }
  yield* amountFaults(line.baseCents, line.vatRateBp, line.taxCents, `${path}.tax`)
  if (line.surchargeRateBp === null) {
    if (line.surchargeCents === 0) return
    yield {
      code: 'surcharge_rate_required',
      authorityCode: '1284',
      field: `${path}.surchargeRate`,
      message: 'A surcharge amount needs its rate.',
      fix: 'Choose the rate of the surcharge.',
    }
  } else if (!row.surchargesBp.includes(line.surchargeRateBp)) {
    yield {
      code: 'surcharge_pair',
      authorityCode: surchargePairCode(line.vatRateBp, date),
      field: `${path}.surchargeRate`,
      message: `${basisPointsToText(line.surchargeRateBp)} % is no surcharge of the ${basisPointsToText(line.vatRateBp)} % rate on ${date}.`,
      fix: 'Choose the surcharge that belongs to the rate.',
    }
  }
}

/** The code that tells which surcharge a rate admits. */
function surchargePairCode(vatRateBp: number, date: BusinessDate): string {
  if (vatRateBp === 0) return date >= '2024-10-01' ? '1170' : '1165'
  if (vatRateBp === 500) return date <= '2022-12-31' ? '1167' : '1168'
  const codes: Record<number, string> = { 2100: '1162', 1000: '1163', 400: '1164', 200: '1166', 750: '1169' }
  return codes[vatRateBp] ?? '1127'
}

function* amountFaults(baseCents: Cents, rateBp: number, taxCents: Cents, field: string): Iterable<Found> {
  if (taxCents !== 0 && baseCents !== 0 && taxCents > 0 !== baseCents > 0) {
    yield {
      code: 'tax_sign',
      authorityCode: '1143',
      field,
      message: 'VAT and base have different signs.',
      fix: 'Recalculate the invoice.',
    }
  }
  if (Math.abs(taxCents - percentOf(baseCents, rateBp)) > TOLERANCE_CENTS) {
    yield {
      code: 'tax_amount',
      authorityCode: '1142',
      field,
      message: `VAT of ${centsToText(taxCents)} does not fit ${basisPointsToText(rateBp)} % of ${centsToText(baseCents)}.`,
      fix: 'Recalculate the invoice.',
    }
  }
}

/** What each regime asks of a line: whether it holds, the authority's code otherwise, and how to say it. */
const REGIME_RULES: Record<
  string,
  {
    holds: (line: BreakdownLine, invoice: RegistryInvoice) => boolean
    authorityCode: string
    message: string
  }[]
> = {
  '01': [
    {
      holds: ({ taxTreatment }) => taxTreatment !== 'E2' && taxTreatment !== 'E3',
      authorityCode: '1199',
      message:
        'Exports (E2) and assimilated operations (E3) do not go under the general regime (01); exports go under 02.',
    },
  ],
  '02': [
    { holds: isExempt, authorityCode: '1286', message: 'The export regime (02) admits only exempt lines.' },
  ],
  '03': [
    {
      holds: (line) => line.taxTreatment === 'S1' || isExempt(line),
      authorityCode: '1200',
      message: 'The regime of second-hand goods (03) admits only taxed or exempt lines.',
    },
  ],
  '04': [
    {
      holds: (line) => line.taxTreatment === 'S2' || isExempt(line),
      authorityCode: '1201',
      message: 'The investment gold regime (04) admits only reverse charge or exempt lines.',
    },
  ],
  '06': [
    {
      holds: () => false,
      authorityCode: '1202',
      message:
        'The advanced regime of groups of entities (06) needs the base at cost, which is not kept here.',
    },
  ],
  '07': [
    {
      holds: ({ taxTreatment }) => ['S1', 'E1', 'E6'].includes(taxTreatment),
      authorityCode: '1203',
      message: 'Cash accounting (07) excludes reverse charge, lines not subject and exemptions E2 to E5.',
    },
  ],
  '08': [
    {
      holds: ({ taxTreatment }) => taxTreatment === 'N2',
      authorityCode: '1252',
      message: 'Operations subject to IPSI or IGIC (08) are not subject to VAT by place of supply: N2.',
    },
  ],
  '10': [
    {
      holds: ({ taxTreatment }, { kind, recipients }) =>
        taxTreatment === 'N1' && kind === 'F1' && recipients.every(isSpanishParty),
      authorityCode: '1205',
      message:
        'Collection for third parties (10) needs N1, a full invoice and a customer with a Spanish tax number.',
    },
  ],
  '11': [
    {
      holds: ({ taxTreatment, vatRateBp }) => taxTreatment !== 'S1' || vatRateBp === 2100,
      authorityCode: '1206',
      message: 'The lease of business premises (11) bears 21 %.',
    },
  ],
  '14': [
    {
      holds: (_line, { operationDate, issueDate }) => operationDate !== null && operationDate > issueDate,
      authorityCode: '1147',
      message: 'Public works certificates (14) need an operation date after the issue date.',
    },
    {
      holds: (_line, { kind }) => kind === 'F1',
      authorityCode: '1148',
      message: 'Public works certificates (14) need a full invoice.',
    },
    {
      holds: (_line, { recipients }) =>
        recipients.every((one) => isSpanishParty(one) && /^[PQSV]/.test(one.nif)),
      authorityCode: '1149',
      message:
        'Public works certificates (14) need a public body as customer (tax number with P, Q, S or V).',
    },
  ],
}

function isExempt({ taxTreatment }: BreakdownLine): boolean {
  return taxTreatment.startsWith('E')
}

function* regimeRule(line: BreakdownLine, path: string, invoice: RegistryInvoice): Iterable<Found> {
  const field = `${path}.regimeKey`
  if (line.regimeKey === null || !VAT_REGIMES.includes(line.regimeKey)) {
    yield {
      code: 'regime_unknown',
      authorityCode: '1246',
      field,
      message: `${line.regimeKey || 'An empty text'} is no regime key of VAT.`,
      fix: 'Choose the regime; the general one is 01.',
    }
    return
  }
  for (const { holds, authorityCode, message } of REGIME_RULES[line.regimeKey] ?? []) {
    if (holds(line, invoice)) continue
    yield {
      code: 'regime_combination',
      authorityCode,
      field,
      message,
      fix: 'Choose another regime or tax treatment.',
    }
  }
}

function* intraCommunityRule(
  line: BreakdownLine,
  path: string,
  { recipients }: RegistryInvoice,
): Iterable<Found> {
  if (line.taxTreatment !== 'E5' || !recipients.some(isSpanishParty)) return
  yield {
    code: 'intra_community_recipient',
    authorityCode: '1289',
    field: `${path}.taxTreatment`,
    message: 'An intra-Community supply (E5) goes to a customer identified in another country.',
    fix: "Give the customer's EU VAT number, or choose another tax treatment.",
  }
}

function* totalsRule(invoice: RegistryInvoice): Iterable<Found> {
  const { breakdown, taxTotalCents, totalCents } = invoice
  const largest = Math.max(
    Math.abs(taxTotalCents),
    Math.abs(totalCents),
    ...breakdown.map((line) =>
      Math.max(Math.abs(line.baseCents), Math.abs(line.taxCents), Math.abs(line.surchargeCents)),
    ),
  )
  if (!(largest <= MAX_CENTS)) {
    yield {
      code: 'amount_too_large',
      authorityCode: '4102',
      field: 'totalCents',
      message: 'The registry takes amounts of at most 12 digits before the decimals.',
      fix: 'Split the invoice.',
    }
    return
  }
  if (breakdown.some((line) => REGIMES_WITHOUT_SUMS.includes(line.regimeKey ?? ''))) return
  // The authority forgives 10 EUR; our own sums are exact, so that any difference is a fault.
  const taxSum = breakdown.reduce((sum, line) => sum + line.taxCents + line.surchargeCents, 0)
  const totalSum = breakdown.reduce((sum, line) => sum + line.baseCents, taxSum)
  if (taxSum !== taxTotalCents) yield sumFault('tax_total', '2006', 'taxTotalCents', taxTotalCents, taxSum)
  if (totalSum !== totalCents) yield sumFault('total', '2005', 'totalCents', totalCents, totalSum)
}

function sumFault(code: string, authorityCode: string, field: string, stated: Cents, sum: Cents): Found {
  return {
    code: `${code}_mismatch`,
    authorityCode,
    field,
    message: `The total says ${centsToText(stated)}, the breakdown adds up to ${centsToText(sum)}.`,
    fix: 'Recalculate the invoice.',
  }
}

function* nifFaults(nif: string, field: string, authorityCode: string): Iterable<Found> {
  const check = checkNif(nif)
  if (check.ok && check.nif === nif) return
  if (!check.ok && check.reason === 'control' && check.kind === 'entity' && check.nif === nif) {
    yield {
      code: 'nif_control',
      authorityCode,
      field,
      // The control of an entity's number has no published rule, so that a mismatch may still be right.
      severity: 'warning',
      message: `${nif} does not look right: its last character is usually ${check.expected ?? 'another'}.`,
      fix: 'Compare the number with an official document.',
    }
    return
  }
  yield {
    code: 'nif_invalid',
    authorityCode,
    field,
    message: 'This is no Spanish tax number: nine capital letters and digits with the right control letter.',
    fix: 'Correct the number.',
  }
}

function* nameFaults(name: string, field: string): Iterable<Found> {
  const { length } = [...name.trim()]
  if (length >= 1 && length <= 120) return
  yield {
    code: 'name_length',
    authorityCode: '1100',
    field,
    message: 'The name must have 1 to 120 characters.',
    fix: 'Write the name as the tax authority knows it, shortened if need be.',
  }
}

const LINE_RULES: readonly LineRule[] = [treatmentRule, rateRule, regimeRule, intraCommunityRule]
const RULES: readonly Rule[] = [
  issuerRule,
  numberRule,
  dateRule,
  kindRule,
  descriptionRule,
  recipientRule,
  breakdownRule,
  totalsRule,
]
