/** What SQL cannot express of the tables of tax/. */
import type { Room } from '../room.ts'

export const tax: Room = {
  imports: { TaxTreatment: 'domain/tax/totals.ts' },
  tables: {
    figure_groups: {
      columns: {
        tax_treatment: { type: 'TaxTreatment' },
        vat_rate_bp: { doc: '-1 if the treatment has no rate.' },
      },
    },
    figure_entries: {
      columns: {
        month: { doc: '202607.' },
        source: { doc: '1 issued invoice, 2 purchase invoice.' },
      },
    },
    month_figures: {},
    period_totals: {},
    figure_parties: {},
    party_figures: {
      columns: {
        side: { doc: '0 issued, 1 received.', type: 'number' },
        period: { doc: '202600 a year, 202607 a month, 202623 a quarter.' },
      },
    },
    eu_figures: {},
    withholding_figures: {},
    cash_operations: {},
    history_documents: {
      columns: {
        facts: { doc: 'JSON list of the operations of the tax totals, as they were counted.' },
        source: { doc: 'JSON: `HistorySource`.' },
      },
    },
  },
}
