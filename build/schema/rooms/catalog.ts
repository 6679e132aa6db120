/** What SQL cannot express of the tables of catalog/. */
import type { Room } from '../room.ts'

export const catalog: Room = {
  imports: { TaxTreatment: 'domain/tax/totals.ts' },
  tables: {
    contacts: {
      columns: {
        nif_written: { doc: 'The number as shown, if it differs from `nif`.' },
        country: { required: true },
        tax_treatment: { type: 'TaxTreatment' },
        reminders_off: { doc: 'Excluded from planned reminders.' },
        blocked_at: {
          doc: 'Migration 0002: the contact can no longer be used; records that refer to it are retained until that day.',
        },
      },
    },
    contact_merges: {},
    contacts_apart: {},
    parties: {},
    items: {
      columns: {
        tax_treatment: { type: 'TaxTreatment' },
      },
    },
    vat_number_checks: {},
    census_checks: {},
    exchange_rates: {},
  },
}
