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
    incoming_sources: {
      columns: {
        settings: { doc: 'JSON: `FolderSettings` or `MailboxSettings`.' },
        sealed_secret: { doc: 'JSON of a password or a refresh token, sealed for the public identifier.' },
        position: { doc: 'JSON: where reading goes on.' },
      },
    },
    incoming_seen: {
      columns: {
        digest: { doc: 'SHA-256 of what the source handed over, or of the name, size and time of a file.' },
      },
    },
    incoming_documents: {
      columns: {
        reading: { doc: 'JSON: what `received.read` answers of it.' },
        doubts: { doc: 'JSON list of the fields that nothing proves.' },
        duplicate_of: { doc: 'JSON: `{type, id, label}`, by public identifier.' },
      },
    },
    purchase_arrivals: {
      columns: {
        sha256: { doc: 'Of the document as it came.' },
        facts: { doc: 'JSON: `ArrivalFacts`.' },
        differences: { doc: 'JSON list of `ArrivalDifference`.' },
      },
    },
    supplier_memory: { columns: { memory: { doc: 'JSON: see purchases/memory/shape.ts.' } } },
    incoming_rules: {},
    incoming_settings: { columns: { languages: { doc: 'JSON list of `OcrLanguage`.' } } },
    received_lines: {
      columns: {
        tax_treatment: { type: 'TaxTreatment' },
      },
    },
  },
}
