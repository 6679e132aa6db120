/** What SQL cannot express of the tables of purchases/. */
import type { Room } from '../room.ts'

export const purchases: Room = {
  imports: { TaxTreatment: 'domain/tax/totals.ts' },
  tables: {
    received_invoices: {
      columns: {
        tax_cents: { doc: 'VAT and surcharge charged by the supplier.' },
        rectifies: { doc: 'JSON list of the invoices that it rectifies.' },
      },
    },
    received_lines: {
      columns: {
        tax_treatment: { type: 'TaxTreatment' },
      },
    },
  },
}
