/** Checks whether a draft may be issued: every rule, all faults at once, each with its field and its remedy. Pure. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { vatNumberFault } from '../../../domain/tax/vat-numbers.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import { withholdingRatesBp } from '../../../domain/tax/vat-rates.ts'
import { dueFaults } from './check-instalments.ts'
import { lineFaults } from './check-lines.ts'
import { taxFaults } from './check-tax.ts'
import { error, warning } from './faults.ts'
import { isRectifying, isSimplified } from '../kinds.ts'
import type { DraftContent } from '../content.ts'
import type { PartyFacts } from './parties.ts'

export interface CheckFacts {
  today: BusinessDate
  issueDate: BusinessDate
  issuer: PartyFacts
  /** Issue date of the last invoice of the series, when there is one. */
  lastIssueDate: BusinessDate | null
  /** Conditions that prevent the book from issuing (company readiness), as faults. */
  readiness: readonly Fault[]
  /** An issued invoice of the same customer, total and nearby date. */
  lookalike: { number: string; issueDate: BusinessDate } | null
}

/** First day for which the registry takes records (rule 1152). */
const REGISTRY_START: BusinessDate = '2024-10-28'
/** RD 1619/2012 art. 4: up to 400 euros, or 3,000 in the sectors listed there; VAT included. */
const SIMPLIFIED_USUAL_CENTS = 40_000
const SIMPLIFIED_MAX_CENTS = 300_000
const MAX_TAX_GROUPS = 12

/** Returns all faults of a draft; errors prevent the issue, warnings do not. */
export function checkDraft(content: DraftContent, totals: Totals, facts: CheckFacts): Fault[] {
  return [
    ...facts.readiness,
    ...clientFaults(content, facts),
    ...dateFaults(content, facts),
    ...dueFaults(content, totals, facts.issueDate),
    ...content.lines.flatMap((line, index) =>
      lineFaults(line, index, content, content.operationDate ?? facts.issueDate),
    ),
    ...kindFaults(content, totals),
    ...totalFaults(content, totals),
    ...paymentFaults(content, totals, facts.issuer),
    ...taxFaults(content, facts.issuer),
    ...lookalikeFaults(facts),
  ]
}

function isSpanish(client: Pick<PartyFacts, 'country' | 'idType'>): boolean {
  return client.idType === null && client.country === 'ES'
}

/** Warns about a transfer without an account: the document would show no way to pay. */
function paymentFaults(content: DraftContent, totals: Totals, issuer: PartyFacts): Fault[] {
  const asks = totals.amountDueCents - content.replacedCents > 0
  if (content.paymentMethod !== 'transfer' || issuer.iban !== null || !asks) return []
  return [
    warning({
      code: 'transfer_without_iban',
      field: 'paymentMethod',
      message:
        'It is to be paid by transfer and the company has no IBAN, so the invoice cannot say where to.',
      fix: "Add the IBAN to the company's data, or choose another way to pay.",
    }),
  ]
}

function clientFaults(content: DraftContent, facts: CheckFacts): Fault[] {
  const { client, kind } = content
  const faults: Fault[] = []
  if (isSimplified(kind)) {
    if (client.nif)
      faults.push(
        warning({
          code: 'simplified_with_nif',
          field: 'clientNif',
          message: 'A simplified invoice is registered without its customer.',
          fix: 'Make it a complete invoice (F1) if the customer wants to deduct the VAT.',
        }),
      )
    return faults
  }
  if (!client.nif) {
    faults.push(
      error({
        code: 'client_nif_missing',
        field: 'clientNif',
        message: "A complete invoice needs the customer's tax number.",
        fix: 'Add the NIF, or make it a simplified invoice (F2).',
        authorityCode: '1189',
      }),
    )
  } else faults.push(...identityFaults({ ...client, nif: client.nif }))
  if (client.nif && client.nif === facts.issuer.nif)
    faults.push(
      warning({
        code: 'client_is_issuer',
        field: 'clientNif',
        message: 'The customer is the company itself.',
        fix: 'Check the customer; self-supply is rare.',
      }),
    )
  if (!client.street || !client.postalCode || !client.city)
    faults.push(
      warning({
        code: 'client_address_missing',
        field: 'client.address',
        message: "The customer's address is missing; between businesses an invoice must carry it.",
        fix: 'Add street, postal code and city.',
      }),
    )
  return faults
}

/** Identification of a customer, as far as it can be checked offline. */
type Identity = Pick<PartyFacts, 'country' | 'idType'> & { nif: string }

/** Returns the faults of a customer's identification. */
export function identityFaults(client: Identity): Fault[] {
  if (isSpanish(client)) return nifFaults(client.nif)
  if (client.idType !== null) return foreignIdFaults(client)
  return [
    error({
      code: 'client_id_type_missing',
      field: 'client.idType',
      message: 'A customer from another country needs the kind of identifier.',
      fix: 'Use 02 for an EU VAT number, 03 passport, 04 foreign document, 06 other.',
    }),
  ]
}

function nifFaults(nif: string): Fault[] {
  const check = checkNif(nif)
  if (check.ok) return []
  const params = {
    nif,
    ...(check.reason === 'control' && check.expected ? { expected: check.expected } : {}),
  }
  if (check.reason === 'shape')
    return [
      error({
        code: 'nif_invalid',
        field: 'clientNif',
        message: 'That is not a Spanish tax number.',
        fix: 'Check it: 8 digits and a letter, X, Y or Z with 7 digits and a letter, or a letter with 8 characters. For a customer of another country give client.country and client.idType.',
        params,
      }),
    ]
  if (check.kind === 'entity')
    return [
      warning({
        code: 'nif_doubtful',
        field: 'clientNif',
        message: 'The control character of that NIF does not fit.',
        fix: 'Check it; the authority rejects numbers that are not in its census.',
        params,
      }),
    ]
  return [
    error({
      code: 'nif_invalid',
      field: 'clientNif',
      message: 'The control letter of that NIF is wrong.',
      fix: `The letter for these digits is ${check.expected ?? 'another'}.`,
      params,
    }),
  ]
}

function foreignIdFaults(client: Identity): Fault[] {
  const { idType, country } = client
  if (idType === '07' && country !== 'ES')
    return [
      error({
        code: 'id_type_country',
        field: 'client.country',
        message: 'Only a Spanish customer can be "not in the census".',
        fix: 'Set the country to ES or choose another kind of identifier.',
      }),
    ]
  if (country === 'ES' && idType !== '03' && idType !== '07')
    return [
      error({
        code: 'id_type_country',
        field: 'client.idType',
        message: 'A customer in Spain is identified by NIF, passport (03) or "not in the census" (07).',
        fix: 'Use the NIF, 03 or 07.',
      }),
    ]
  if (idType === '02' && !/^[A-Z]{2}[A-Z0-9+*]{2,13}$/.test(client.nif))
    return [
      error({
        code: 'vat_number_shape',
        field: 'clientNif',
        message: 'An EU VAT number begins with the two letters of its country.',
        fix: 'Write it as DE123456789.',
      }),
    ]
  const form = idType === '02' ? vatNumberFault(country, client.nif) : null
  return form ? [warning({ field: 'clientNif', ...form })] : []
}

function dateFaults(content: DraftContent, facts: CheckFacts): Fault[] {
  const { issueDate, today, lastIssueDate } = facts
  const { operationDate } = content
  const faults: Fault[] = []
  if (issueDate > today)
    faults.push(
      error({
        code: 'issue_date_future',
        field: 'issueDate',
        message: 'An invoice cannot be dated in the future.',
        fix: 'Leave the date out to use the day of issue.',
        authorityCode: '1112',
      }),
    )
  if (issueDate < REGISTRY_START)
    faults.push(
      error({
        code: 'issue_date_too_old',
        field: 'issueDate',
        message: 'The registry takes no invoices dated before 28 October 2024.',
        fix: 'Use a later date.',
        authorityCode: '1152',
      }),
    )
  if (lastIssueDate !== null && issueDate < lastIssueDate)
    faults.push(
      error({
        code: 'issue_date_out_of_order',
        field: 'issueDate',
        message: `The series already has an invoice of ${lastIssueDate}.`,
        fix: `Use ${lastIssueDate} or later, or another series.`,
        params: { date: lastIssueDate },
      }),
    )
  if (operationDate) {
    const deferred = content.lines.some((line) => line.regimeKey === '14' || line.regimeKey === '15')
    if (operationDate > issueDate && !deferred)
      faults.push(
        error({
          code: 'operation_date_after_issue',
          field: 'operationDate',
          message: 'The operation cannot be later than the invoice.',
          fix: 'Leave it out, or use the day of the operation.',
          authorityCode: '1146',
        }),
      )
    if (operationDate < addDays(today, -7305))
      faults.push(
        error({
          code: 'operation_date_too_old',
          field: 'operationDate',
          message: 'The operation is more than 20 years ago.',
          fix: 'Check the date.',
          authorityCode: '1173',
        }),
      )
  }
  return faults
}

function kindFaults(content: DraftContent, totals: Totals): Fault[] {
  const faults: Fault[] = []
  if (content.simplifiedArt7273 && content.kind !== 'F1')
    faults.push(
      error({
        code: 'art7273_needs_f1',
        field: 'simplifiedArt7273',
        message: "A simplified invoice with the customer's data is registered as F1.",
        fix: 'Set kind to F1.',
      }),
    )
  if (content.kind === 'F3' && !content.references.some(({ role }) => role === 'substitutes'))
    faults.push(
      error({
        code: 'substituted_missing',
        field: 'substitutes',
        message: 'An invoice in place of simplified ones names them.',
        fix: 'Say which simplified invoices it stands for, or make it a complete invoice (F1).',
      }),
    )
  if (content.kind !== 'F2') return faults
  if (totals.registeredTotalCents > SIMPLIFIED_MAX_CENTS)
    faults.push(
      error({
        code: 'simplified_too_large',
        field: 'lines',
        message: 'A simplified invoice cannot be above 3,000 euros.',
        fix: 'Make a complete invoice (F1).',
        authorityCode: '1150',
      }),
    )
  else if (totals.registeredTotalCents > SIMPLIFIED_USUAL_CENTS)
    faults.push(
      warning({
        code: 'simplified_large',
        field: 'lines',
        message:
          'Above 400 euros simplified invoices are only for some trades, such as retail, hospitality or taxis.',
        fix: 'Make a complete invoice (F1) unless yours is one of them.',
      }),
    )
  for (const [index, line] of content.lines.entries()) {
    if (line.taxTreatment === 'S2')
      faults.push(
        error({
          code: 'reverse_charge_needs_client',
          field: `lines[${index}].taxTreatment`,
          message: 'Reverse charge needs a complete invoice.',
          fix: "Make it F1 with the customer's NIF.",
          authorityCode: '1197',
        }),
      )
  }
  return faults
}

function totalFaults(content: DraftContent, totals: Totals): Fault[] {
  const faults: Fault[] = []
  if (totals.taxes.length === 0)
    faults.push(
      error({
        code: 'nothing_to_register',
        field: 'lines',
        message: 'An invoice needs at least one line that is not a disbursement.',
        fix: 'Add what you charge for.',
      }),
    )
  if (totals.taxes.length > MAX_TAX_GROUPS)
    faults.push(
      error({
        code: 'too_many_tax_groups',
        field: 'lines',
        message: 'The registry takes at most 12 combinations of treatment, regime and rate.',
        fix: 'Split the invoice.',
        authorityCode: '4102',
      }),
    )
  for (const tax of totals.taxes) {
    if (tax.baseCents < 0 && !isRectifying(content.kind))
      faults.push(
        warning({
          code: 'negative_base',
          field: 'lines',
          message: 'A tax base is negative; money given back belongs on a rectifying invoice.',
          fix: 'Check the lines with negative amounts.',
        }),
      )
    if (tax.taxCents !== 0 && Math.sign(tax.taxCents) !== Math.sign(tax.baseCents))
      faults.push(
        error({
          code: 'tax_sign',
          field: 'lines',
          message: 'Base and VAT must have the same sign.',
          fix: 'Check the amounts.',
          authorityCode: '1143',
        }),
      )
  }
  if (content.discountCents > 0 && totals.baseCents < 0 && !isRectifying(content.kind))
    faults.push(
      error({
        code: 'discount_too_large',
        field: 'discountAmount',
        message: 'The discount is more than what is charged.',
        fix: 'Lower it; money given back belongs on a rectifying invoice.',
      }),
    )
  if (totals.totalCents === 0)
    faults.push(
      warning({
        code: 'total_zero',
        field: 'lines',
        message: 'The total is zero.',
        fix: 'Check quantities, prices and discounts.',
      }),
    )
  const { withholdingBp } = content
  if (withholdingBp !== null && !withholdingRatesBp.includes(withholdingBp))
    faults.push(
      warning({
        code: 'withholding_unusual',
        field: 'withholdingPct',
        message: `${withholdingBp / 100} % is not one of the usual withholding rates.`,
        fix: 'Professionals usually bear 15 or 7.',
        params: { rate: withholdingBp / 100 },
      }),
    )
  return faults
}

function lookalikeFaults(facts: CheckFacts): Fault[] {
  if (!facts.lookalike) return []
  const { number, issueDate } = facts.lookalike
  return [
    warning({
      code: 'looks_like_another',
      field: '',
      message: `Same customer and total as ${number} of ${issueDate}.`,
      fix: 'Make sure that it is not the same invoice twice.',
      params: { number, date: issueDate },
    }),
  ]
}
