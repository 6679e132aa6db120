/** Says why an invoice cannot have the document of the exchange, and which assumptions one rests on that can. */
import { checkNif } from '../../../domain/tax/nif.ts'
import { provinceOf } from '../codes.ts'
import type { EInvoice } from '../invoice.ts'
import type { EParty } from '../party.ts'
import { isSimplified } from '../../../sales/invoices/index.ts'
import type { AssumptionId } from './assumptions.ts'
import { MOST_BYTES, NATIONAL_TAXES, REGIME_KEYS } from './codes.ts'
import { ubl25Xml } from './write.ts'

/** Reasons why an invoice has no document of the exchange. Stable: programs rely on them. */
export const EXCHANGE_FAULTS = [
  // Tickets, and what rectifies them (R5): RD 238/2026 art. 4.1. Qualified simplified invoices (art. 7.2) have one.
  'simplified',
  // The duty is between businesses in Spain (RD 238/2026 art. 3.1).
  'customer_outside_spain',
  // Both numbers are the condition of admission (RD 238/2026 art. 11.3).
  'customer_number_missing',
  // Invoices to public bodies go by FACe (Ley 25/2013).
  'public_body',
  // Street, town, five digits and province of both parties.
  'customer_address_incomplete',
  'issuer_address_incomplete',
  // The agreements with the Basque Country and Navarre are not published (RD 238/2026 DA3).
  'foral',
  // The fields of a third party that issues (BG-ES-1) are not published.
  'third_party_issue',
  // Disbursements are collection lines, and a document needs lines of its own.
  'only_disbursements',
  // More than 5,120 kB.
  'too_large',
] as const
export type ExchangeFault = (typeof EXCHANGE_FAULTS)[number]

const POSTAL_CODE = /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/
/** Postal codes of Araba, Gipuzkoa, Navarra and Bizkaia. */
const FORAL = /^(?:01|20|31|48)/
/** Numbers of local corporations, and of bodies of the State and the regions (Orden EHA/451/2008). */
const PUBLIC_BODY = /^[PS]/

const isBlank = (text: string | null): boolean => text === null || text.trim() === ''

function hasWholeAddress({ street, city, postalCode, province, country }: EParty): boolean {
  if (isBlank(street) || isBlank(city) || country !== 'ES') return false
  const code = postalCode ?? ''
  return POSTAL_CODE.test(code) && !isBlank(province ?? provinceOf(code))
}

function customerFault({ nif, idType, country, dir3 }: EParty): ExchangeFault | null {
  if (country !== 'ES') return 'customer_outside_spain'
  if (nif === null || idType !== null || !checkNif(nif).ok) return 'customer_number_missing'
  return dir3 !== null || PUBLIC_BODY.test(nif) ? 'public_body' : null
}

/** Below so many lines no invoice is too large. */
const FEW_LINES = 500
/** Longest texts of a line and of the notes, with their escapes, far above what is ever entered. */
const isSmall = ({ lines, notes }: EInvoice): boolean =>
  lines.length <= FEW_LINES &&
  lines.reduce((sum, { description }) => sum + description.length, (notes ?? '').length) < MOST_BYTES / 20

/** Returns why an invoice cannot have the document of the exchange, or null. */
export function exchangeFault(invoice: EInvoice): ExchangeFault | null {
  const { seller, buyer, issuedBy, kind, groups } = invoice
  if (isSimplified(kind)) return 'simplified'
  const ofCustomer = customerFault(buyer)
  if (ofCustomer !== null) return ofCustomer
  if (!hasWholeAddress(buyer)) return 'customer_address_incomplete'
  if (!hasWholeAddress(seller)) return 'issuer_address_incomplete'
  if (FORAL.test(seller.postalCode ?? '')) return 'foral'
  if (issuedBy?.kind === 'third_party') return 'third_party_issue'
  if (groups.every(({ isDisbursement }) => isDisbursement)) return 'only_disbursements'
  if (isSmall(invoice)) return null
  return Buffer.byteLength(ubl25Xml(invoice, { copy: false })) > MOST_BYTES ? 'too_large' : null
}

/**
 * Returns the assumptions that the document of this invoice rests on, beside those of every document and of the service: what no
 * published text proves about its content.
 */
export function assumptionsOf(invoice: EInvoice): AssumptionId[] {
  const { groups, rectification, issuedBy, buyer } = invoice
  const keys = REGIME_KEYS[NATIONAL_TAXES[invoice.tax]]
  const found: [AssumptionId, boolean][] = [
    ['withholding', invoice.withholding !== null],
    ['disbursements', groups.some(({ isDisbursement }) => isDisbursement)],
    ['surcharge', groups.some(({ surchargeCents }) => surchargeCents !== 0)],
    ['margin', groups.some(({ isMargin }) => isMargin)],
    ['regimes', groups.some(({ isDisbursement, regimeKey }) => !isDisbursement && !keys.includes(regimeKey))],
    ['rectified_amount', rectification?.method === 'S'],
    ['bg24_code', rectification !== null || invoice.qrUrl !== null],
    ['self_billed_code', rectification !== null && issuedBy?.kind === 'recipient'],
    ['replaced_amount', invoice.replacedCents !== 0],
    ['notes', invoice.mentions.length > 0 || !isBlank(invoice.notes)],
    ['foral', FORAL.test(buyer.postalCode ?? '')],
    ['vatex_es', groups.some(({ category, reasonCode }) => category === 'E' && reasonCode === null)],
  ]
  return found.flatMap(([id, rests]) => (rests ? [id] : []))
}
