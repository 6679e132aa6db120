/**
 * Writes an invoice as Peppol BIS Billing 3.0: UBL 2.1 of EN 16931:2017 with the network's profile and addresses. Sello has no access
 * point, so that the file is for one, or for a platform between businesses.
 */
import { percentOf } from '../../../domain/money.ts'
import { enInvoiceOf } from '../en16931.ts'
import type { EnInvoice } from '../en16931.ts'
import type { EInvoice } from '../invoice.ts'
import { ublDocument } from '../ubl.ts'
import { endpointOf } from './endpoint.ts'
import { PEPPOL_CUSTOMIZATION, PEPPOL_PROFILE } from './rules.ts'

/** Means of payment that require a mandate (PEPPOL-EN16931-R061), and the one that says nothing. */
const DIRECT_DEBITS: readonly string[] = ['49', '59']
const MUTUALLY_DEFINED = 'ZZZ'
/** Deviation of a share from its amount that the network allows, in cents (PEPPOL-EN16931-R040). */
const SLACK_CENTS = 2

function adapted(e: EnInvoice): EnInvoice {
  const { payment } = e
  const lacksMandate = payment !== null && DIRECT_DEBITS.includes(payment.code) && payment.debit === null
  return {
    ...e,
    payment: lacksMandate ? { ...payment, code: MUTUALLY_DEFINED } : payment,
    // A share that does not give its amount, as with prices that include the tax, is left out.
    allowances: e.allowances.map((each) =>
      each.share !== null &&
      Math.abs(percentOf(each.share.baseCents, each.share.rateBp) - each.amountCents) > SLACK_CENTS
        ? { ...each, share: null }
        : each,
    ),
  }
}

/** Returns the document. Check `peppolFault` first. */
export function peppolXml(invoice: EInvoice): string {
  const e = enInvoiceOf(invoice)
  return ublDocument(adapted(e), {
    customization: PEPPOL_CUSTOMIZATION,
    profile: PEPPOL_PROFILE,
    endpoints: { seller: endpointOf(invoice.seller), buyer: endpointOf(invoice.buyer) },
    // Corrected invoices (384) are for German parties only (P0112): another one refers to the invoice that it corrects.
    ...(e.typeCode === '384' ? { typeCode: '380' } : {}),
  })
}
