/** Decides which structured formats an invoice can have. No file is better than one that the recipient rejects. */
import { EXCHANGE_FAULTS, exchangeFault } from './exchange/fault.ts'
import { numberParts } from './facturae-corrective.ts'
import { partyFault } from './facturae-parties.ts'
import type { EInvoice } from './invoice.ts'
import { PEPPOL_FAULTS, peppolFault } from './peppol/fault.ts'

/** `ubl` is UBL 2.1 of EN 16931:2017; `ubl25` the profile of the exchange, `peppol` that of Peppol BIS Billing 3.0. */
export type StructuredFormat = 'cii' | 'ubl' | 'facturae' | 'ubl25' | 'peppol'

/** Reasons why an invoice cannot have a format. Stable: programs rely on them. */
export const FORMAT_FAULTS = [
  // A simplified invoice has no customer, and each format requires one (BR-7 and BR-10 of EN 16931).
  'recipient_not_identified',
  // Facturae requires the tax numbers and complete addresses of both parties.
  'recipient_number_missing',
  'recipient_address_missing',
  'recipient_postal_code_unfit',
  'recipient_country_without_code',
  'issuer_address_missing',
  'issuer_postal_code_unfit',
  // Facturae requires the whole data of a third party that issued the invoice (TE).
  'third_party_address_missing',
  // Series and number have at most 20 characters each in Facturae.
  'number_too_long',
  ...EXCHANGE_FAULTS,
  ...PEPPOL_FAULTS,
] as const
type FormatFault = (typeof FORMAT_FAULTS)[number]

const PARTY_FAULTS = {
  number: ['recipient_number_missing', 'issuer_address_missing'],
  address: ['recipient_address_missing', 'issuer_address_missing'],
  postal_code: ['recipient_postal_code_unfit', 'issuer_postal_code_unfit'],
  country: ['recipient_country_without_code', 'issuer_address_missing'],
} as const satisfies Record<string, readonly [FormatFault, FormatFault]>

function facturaeFault(invoice: EInvoice): FormatFault | null {
  const ofBuyer = partyFault(invoice.buyer)
  if (ofBuyer !== null) return PARTY_FAULTS[ofBuyer][0]
  const ofSeller = partyFault(invoice.seller)
  if (ofSeller !== null) return PARTY_FAULTS[ofSeller][1]
  const { issuedBy } = invoice
  if (issuedBy?.kind === 'third_party' && partyFault(issuedBy.party) !== null)
    return 'third_party_address_missing'
  if (numberParts(invoice.number, invoice.seriesCode) === null) return 'number_too_long'
  return invoice.groups.every(({ isDisbursement }) => isDisbursement) ? 'only_disbursements' : null
}

/** Returns for each format null, or why this invoice cannot have it. */
export function availableFormats(invoice: EInvoice): Record<StructuredFormat, FormatFault | null> {
  const unnamed = invoice.hasBuyer ? null : 'recipient_not_identified'
  return {
    cii: unnamed,
    ubl: unnamed,
    facturae: unnamed ?? facturaeFault(invoice),
    ubl25: unnamed ?? exchangeFault(invoice),
    peppol: unnamed ?? peppolFault(invoice),
  }
}
