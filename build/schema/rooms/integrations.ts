/** What SQL cannot express of the tables of integrations/. */
import type { Room } from '../room.ts'

export const integrations: Room = {
  tables: {
    erp_connections: {
      columns: {
        granted: { doc: "JSON lists of permissions in the provider's terms." },
        notes: { doc: 'JSON object of the provider.' },
      },
    },
    erp_watermarks: {},
    erp_runs: {},
    erp_run_resources: {
      columns: {
        error_details: { doc: 'JSON.' },
      },
    },
    erp_calls: {},
    erp_contacts: {
      columns: {
        content_hash: { doc: 'SHA-256 of `record`.' },
        record: { doc: 'JSON of the neutral record.' },
        seen_pass: { doc: 'The last run that read it, doubled, plus one after a restart within the run.' },
      },
    },
    erp_documents: {
      columns: {
        content_hash: { doc: 'SHA-256 of `record`.' },
        record: { doc: 'JSON of the neutral record.' },
        seen_pass: { doc: 'The last run that read it, doubled, plus one after a restart within the run.' },
      },
    },
    erp_document_taxes: {},
    erp_items: {
      columns: {
        content_hash: { doc: 'SHA-256 of `record`.' },
        record: { doc: 'JSON of the neutral record.' },
        seen_pass: { doc: 'The last run that read it, doubled, plus one after a restart within the run.' },
      },
    },
    erp_rejects: {},
  },
}
