/** Says why an invoice cannot be a Peppol BIS Billing 3.0 document. */
import type { EInvoice } from '../invoice.ts'
import { endpointOf } from './endpoint.ts'

/** Reasons why an invoice has no Peppol document. Stable: programs rely on them. */
export const PEPPOL_FAULTS = [
  // Both parties need an electronic address (PEPPOL-EN16931-R010, R020): a VAT number whose country has a scheme.
  'electronic_address_missing',
  // An order or a reference of the buyer is required (PEPPOL-EN16931-R003).
  'customer_reference_missing',
  // Self-billing is another profile (PEPPOL-EN16931-P0100).
  'self_billed',
] as const
export type PeppolFault = (typeof PEPPOL_FAULTS)[number]

/** Returns why an invoice cannot be a Peppol document, or null. */
export function peppolFault({ seller, buyer, customerReferences, issuedBy }: EInvoice): PeppolFault | null {
  if (endpointOf(seller) === null || endpointOf(buyer) === null) return 'electronic_address_missing'
  if (issuedBy?.kind === 'recipient') return 'self_billed'
  return buyer.dir3 === null && !customerReferences?.order ? 'customer_reference_missing' : null
}
