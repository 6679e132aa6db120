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
    exchange_settings: {},
    exchange_flows: {},
    exchange_contacts: {},
    exchange_contents: {},
    exchange_documents: {
      columns: {
        state: { union: 'ExchangeState' },
      },
    },
    exchange_reports: {
      columns: {
        kind: { union: 'ExchangeReportKind' },
        state: { union: 'ExchangeReportState' },
      },
    },
    exchange_messages: {},
    exchange_items: {},
    exchange_facts: {},
    simulated_exchange: {},
    exchange_confirmations: {
      columns: {
        choices: { doc: 'JSON.' },
      },
    },
    portal_settings: {},
    portal_directories: {},
    portal_units: {
      columns: {
        roles: { doc: 'Sum of 1 accounting office, 2 managing body, 4 processing unit, 8 proposing body.' },
        search: { doc: 'Code, name and administration, folded.' },
      },
    },
    portal_relations: {},
    portal_submissions: {
      columns: {
        units: { doc: 'JSON: `Dir3`.' },
        file: { doc: 'The signed file, compressed with gzip.' },
        sha256: { doc: 'Of the bytes that are sent.' },
        received_at: { doc: 'As the portal writes it.' },
        why: { doc: 'Code of the reason.' },
        detail: { doc: 'What the portal or the connection said.' },
      },
    },
    portal_states: {},
    portal_cancellations: {},
    simulated_portal_invoices: {},
  },
}
