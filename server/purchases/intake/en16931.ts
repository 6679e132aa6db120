/**
 * Parts that the two syntaxes of EN 16931 share: VAT categories, means of payment, and the free texts of Spanish
 * invoices.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import {
  isDisbursementNote,
  isDisbursementRounding,
  isOwnReason,
  readReplacedNote,
  readSurchargeReason,
  readWithholdingNote,
} from '../../domain/tax/en16931-notes.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { isInUnion } from '../../domain/tax/territories.ts'
import { percentOf } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { vatRateAt } from '../../domain/tax/vat-rates.ts'
import type { TaxLineInput } from '../invoices/contract.ts'
import { checkNif } from '../../domain/tax/nif.ts'
import { warning } from '../fault.ts'
import { eurosOrNull } from './amounts.ts'
import { isUsualTax } from './own-tax.ts'
import type { OwnTax } from './own-tax.ts'
import { DISBURSEMENTS } from './read-result.ts'
import type { ReadProposal } from './read-result.ts'

/** Means of payment by code of UNTDID 4461. */
const PAYMENT_MEANS: Record<string, ReadProposal['paymentMethod']> = {
  '10': 'cash',
  '20': 'cheque',
  '30': 'transfer',
  '31': 'transfer',
  '42': 'transfer',
  '48': 'card',
  '49': 'direct_debit',
  '54': 'card',
  '55': 'card',
  '57': 'other',
  '58': 'transfer',
  '59': 'direct_debit',
}
const ONLINE = '68'

/** Returns the payment method of a code; `text` names the service of an online payment. */
export function paymentMethodOf(code: string | null, text: string | null): ReadProposal['paymentMethod'] {
  if (code === ONLINE) return /\bbizum\b/i.test(text ?? '') ? 'bizum' : 'other'
  return PAYMENT_MEANS[code ?? '']
}

/** Returns the identifier of a buyer without a VAT number where it is a Spanish tax number. */
export function nifOrNull(text: string | null): string | null {
  const check = checkNif(text ?? '')
  return check.ok ? check.nif : null
}

/** Document types of credit notes (UNTDID 1001); their amounts are positive although they reduce the debt. */
const CREDIT_NOTES: readonly string[] = [
  '81',
  '83',
  '261',
  '262',
  '296',
  '308',
  '381',
  '396',
  '420',
  '458',
  '532',
]
/** Corrected invoices: by the seller, by the buyer (self-billed), and both of a factor. */
const CORRECTED: readonly (string | null)[] = ['384', '471', '472', '473']

/** Types of invoices that the buyer issues in the seller's name, their credit notes and corrections. */
const SELF_BILLED: readonly (string | null)[] = ['389', '261', '471', '473', '527']

export function isSelfBilledType(typeCode: string | null): boolean {
  return SELF_BILLED.includes(typeCode)
}

export function kindOf(typeCode: string | null): { kind: 'invoice' | 'rectifying'; sign: 1 | -1 } {
  if (typeCode !== null && CREDIT_NOTES.includes(typeCode)) return { kind: 'rectifying', sign: -1 }
  return { kind: CORRECTED.includes(typeCode) ? 'rectifying' : 'invoice', sign: 1 }
}

interface CategoryTax {
  /** Code of UNTDID 5305, as EN 16931 limits it. */
  category: string | null
  rateBp: BasisPoints | null
  baseCents: Cents | null
  taxCents: Cents | null
  /** BT-120. */
  reason: string | null
}

/** A charge, or an allowance where it is negative, of the whole document. */
interface DocumentCharge {
  cents: Cents
  /** BT-100. */
  baseCents: Cents | null
  reason: string
}

/** Sums as a document states them, with the signs of its syntax. */
export interface PrintedSums {
  /** Tax of the company that reads it. */
  ownTax: OwnTax
  sign: 1 | -1
  /** Of the supplier. */
  country: string | null
  /** Day of the operation. */
  date: BusinessDate | null
  notes: string
  taxes: readonly CategoryTax[]
  charges: readonly DocumentCharge[]
  lines: readonly { netCents: Cents | null; note: string | null }[]
  /** BT-113. */
  prepaidCents: Cents
  /** Withholding in fields of the syntax's own. */
  withholding: NonNullable<ReadProposal['withholding']> | null
  /** Amounts collected for somebody else in lines of their own (BG-34 of 2026). */
  collectedCents?: Cents
  /** The amount paid (BT-113) holds payments alone, as in the edition of 2026. */
  isPrepaidPure?: boolean
}

interface ReadSums {
  lines: TaxLineInput[]
  withholding: ReadProposal['withholding'] | null
  prepaid: number | null
  warnings: Fault[]
}

interface Taxed {
  vatRateBp: BasisPoints
  baseCents: Cents
  taxCents: Cents
  surcharge?: { rateBp: BasisPoints; cents: Cents }
}

const isUntaxed = ({ category }: CategoryTax): boolean => category === 'E' || category === 'O'

/**
 * Returns the surcharges of a document, each with its base and the VAT it belongs to; those that match no group are
 * left out.
 */
function surchargesOf({ taxes, charges, date }: PrintedSums): Taxed[] {
  return charges.flatMap(({ cents, baseCents, reason }): Taxed[] => {
    const said = readSurchargeReason(reason)
    if (!said || cents === 0) return []
    const surcharge = { rateBp: said.rateBp, cents }
    const { vatRateBp, taxCents } = said
    if (vatRateBp !== undefined && taxCents !== undefined && baseCents !== null) {
      const beside = taxes.some(({ category, rateBp }) => category === 'S' && rateBp === vatRateBp)
      return beside ? [{ vatRateBp, taxCents, baseCents: Math.sign(cents) * baseCents, surcharge }] : []
    }
    // Other programs name only the rate: it belongs to the one group whose whole base gives the amount.
    const fits = taxes.filter(
      (tax) =>
        tax.category === 'S' &&
        tax.rateBp !== null &&
        tax.baseCents !== null &&
        (vatRateAt(tax.rateBp, date ?? '9999-12-31')?.surchargesBp ?? []).includes(said.rateBp) &&
        Math.abs(percentOf(tax.baseCents, said.rateBp) - cents) <= 1,
    )
    const [only] = fits
    if (fits.length !== 1 || !only) return []
    return [
      {
        vatRateBp: only.rateBp ?? 0,
        taxCents: only.taxCents ?? 0,
        baseCents: only.baseCents ?? 0,
        surcharge,
      },
    ]
  })
}

function taxedLine({ vatRateBp, baseCents, taxCents, surcharge }: Taxed, sign: 1 | -1): TaxLineInput {
  return {
    base: (sign * baseCents) / 100,
    vatRate: vatRateBp / 100,
    tax: (sign * taxCents) / 100,
    ...(surcharge && { surcharge: (sign * surcharge.cents) / 100, surchargeRate: surcharge.rateBp / 100 }),
  }
}

/** Returns the disbursements and the rounding of their lines. */
function disbursedOf({ lines, charges }: PrintedSums): Cents {
  const own = lines.filter(({ note }) => isDisbursementNote(note))
  if (own.length === 0) return 0
  const rounding = charges.filter(({ reason }) => isDisbursementRounding(reason))
  return (
    own.reduce((sum, { netCents }) => sum + (netCents ?? 0), 0) +
    rounding.reduce((sum, { cents }) => sum + cents, 0)
  )
}

function withholdingOf(said: PrintedSums): Pick<ReadSums, 'withholding' | 'prepaid'> {
  const { notes, sign, prepaidCents } = said
  const euros = (cents: Cents): number => (cents === 0 ? 0 : (sign * cents) / 100)
  if (said.isPrepaidPure)
    return { withholding: said.withholding, prepaid: prepaidCents === 0 ? null : euros(prepaidCents) }
  const withheld = readWithholdingNote(notes)
  const replacedCents = readReplacedNote(notes) ?? 0
  if ((withheld || replacedCents !== 0) && (withheld?.amountCents ?? 0) + replacedCents === prepaidCents)
    return {
      withholding: withheld && {
        rate: withheld.rateBp / 100,
        base: euros(withheld.baseCents),
        amount: euros(withheld.amountCents),
      },
      prepaid: replacedCents === 0 ? null : euros(replacedCents),
    }
  // A paid amount that nothing explains is not returned as prepaid: the sum that does not match then shows it.
  return { withholding: said.withholding, prepaid: null }
}

/**
 * Turns the sums of a document into a proposal: taxes, surcharge, disbursements, and the part that the payable leaves
 * out.
 */
export function readSums(said: PrintedSums): ReadSums {
  const { sign, taxes, country, date } = said
  const surcharges = surchargesOf(said)
  const disbursedCents = disbursedOf(said)
  const surchargedCents = surcharges.reduce((sum, { surcharge }) => sum + (surcharge?.cents ?? 0), 0)
  const lines: TaxLineInput[] = []
  let besideCents = disbursedCents + surchargedCents
  let notVat = false
  for (const tax of taxes) {
    if (tax.baseCents === null) continue
    let { baseCents, taxCents } = tax
    if (isUntaxed(tax) && besideCents !== 0) {
      baseCents -= besideCents
      besideCents = 0
      if (baseCents === 0) continue
    }
    const own = surcharges.filter(({ vatRateBp }) => tax.category === 'S' && vatRateBp === tax.rateBp)
    for (const each of own) {
      lines.push(taxedLine(each, sign))
      baseCents -= each.baseCents
      taxCents = (taxCents ?? 0) - each.taxCents
    }
    if (own.length > 0 && baseCents === 0 && (taxCents ?? 0) === 0) continue
    const read = taxLineOf({ ...tax, baseCents, taxCents }, { ownTax: said.ownTax, country, sign, date })
    if (!read) continue
    lines.push(read.line)
    notVat ||= read.notVat
  }
  const suppliedCents = disbursedCents + (said.collectedCents ?? 0)
  if (suppliedCents !== 0)
    lines.push({ base: (sign * suppliedCents) / 100, taxTreatment: 'N1', description: DISBURSEMENTS })
  return { lines, ...withholdingOf(said), warnings: notVat ? [notVatWarning()] : [] }
}

function notVatWarning(): Fault {
  return warning(
    'not_vat',
    'taxLines',
    'It bears a tax that cannot be deducted as VAT here; it was added to the base.',
    'Check the lines.',
  )
}

/** Words of the law in every mention of an operation that is not subject. */
const NOT_SUBJECT = /no sujet[ao]|not subject/i

/** Turns a VAT group into a tax line; null when it has no base. `notVat`: another tax, added to the base. */
function taxLineOf(
  tax: CategoryTax,
  { ownTax, country, sign, date }: Pick<PrintedSums, 'ownTax' | 'country' | 'sign' | 'date'>,
): { line: TaxLineInput; notVat: boolean } | null {
  const { category, rateBp, baseCents, taxCents, reason } = tax
  const base = eurosOrNull(baseCents === null ? null : sign * baseCents)
  if (base === null || baseCents === null) return null
  const abroad = country !== null && country !== 'ES'
  const plain = (line: TaxLineInput) => ({ line, notVat: false })
  const withTax = (taxTreatment: 'N1' | 'N2') => ({
    line: { base: eurosOrNull(sign * (baseCents + (taxCents ?? 0))) ?? base, taxTreatment },
    notVat: true,
  })
  const taxed = () => {
    const amount = eurosOrNull(taxCents === null ? null : sign * taxCents)
    return plain({ base, vatRate: (rateBp ?? 0) / 100, ...(amount === null ? {} : { tax: amount }) })
  }
  switch (category) {
    case 'AE':
      return plain({
        base,
        taxTreatment: 'S2',
        nature: !abroad ? 'reverse_charge' : isInUnion(country) ? 'eu_services' : 'foreign_services',
      })
    case 'K':
      return plain({ base, taxTreatment: 'S2', nature: 'eu_goods' })
    case 'E': {
      // Several reasons share one breakdown: those of surcharge and disbursements do not describe the rest.
      const reasons = (reason ?? '').split('; ').filter((each) => !isOwnReason(each))
      const isOutside = reasons.length > 0 && reasons.every((each) => NOT_SUBJECT.test(each))
      return plain({ base, taxTreatment: isOutside ? 'N1' : 'E1' })
    }
    case 'G':
    case 'O':
      return plain({ base, taxTreatment: 'N1' })
    case 'L':
    case 'M':
      if (category !== ownTax.category) return withTax('N1')
      return taxed()
    case 'D':
    case 'F':
    case 'N':
      // The tax of a margin is not deductible, nor that of a scheme that nobody has described yet.
      return (taxCents ?? 0) === 0 ? plain({ base, taxTreatment: 'E1' }) : withTax('N1')
    default:
      break
  }
  // VAT of another country cannot be deducted in Spain: it is part of the cost of the purchase.
  if (abroad && (taxCents ?? 0) !== 0) return withTax('N2')
  // The same holds for VAT of a one-stop shop, which a Spanish supplier charges at a rate that does not exist in
  // Spain.
  const isForeignRate = date !== null && rateBp !== null && vatRateAt(rateBp, date) === undefined
  if (isForeignRate && country === 'ES') return withTax('N1')
  // Nor is VAT deducted where another tax applies.
  if (!isUsualTax(ownTax) && (taxCents ?? 0) !== 0) return withTax('N1')
  return taxed()
}
