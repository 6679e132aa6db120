/** What SQL cannot express of the tables of sales/. */
import type { Room } from '../room.ts'

export const sales: Room = {
  imports: { TaxTreatment: 'domain/tax/totals.ts' },
  tables: {
    invoices: {
      columns: {
        kind: {
          union: 'InvoiceKindCode',
          doc: 'F1 complete, F2 simplified, F3 replacing simplified ones, R1 to R4 rectifying, R5 rectifying a simplified one.',
        },
        due_cents: { doc: 'Amount still to be paid, even if annulled.' },
        instalments: { doc: 'Agreed instalments; null for one due date.' },
        registry_status: { union: 'InvoiceRegistryStatus' },
        updated_at: {
          doc: 'Last change of the invoice or of its amount due: set by a trigger on its events.',
        },
        cancelled_at: { doc: 'Time of annulment; null also after a reactivation.' },
      },
    },
    invoice_lines: {
      columns: {
        tax_treatment: { type: 'TaxTreatment' },
        missing: { type: 'string', doc: 'Amounts that a draft still lacks, separated by commas.' },
      },
    },
    invoice_instalments: {
      columns: { open_cents: { doc: 'Amount of it still to be paid.' } },
    },
    invoice_taxes: {
      columns: {
        tax_treatment: { type: 'TaxTreatment' },
      },
    },
    invoice_references: {},
    invoice_replacements: {},
    documents: {},
    document_signatures: {},
    document_queue: {},
    unsigned_documents: {},
    confirmations: {},
    invoice_amendments: {},
    amended_parties: {
      doc: 'The customer named by an amendment, if it differs from the one in the document.',
    },
    quotes: {},
    quote_revisions: {},
    quote_conversions: {},
    reply_secrets: {
      columns: { sealed_secret: { doc: '32 bytes, sealed for the public identifier.' } },
    },
    reply_pages: {
      columns: {
        facts: { doc: 'JSON: `PageFacts`.' },
        facts_digest: { doc: 'SHA-256 of what the invoice says in it.' },
      },
    },
    reply_answers: {
      columns: {
        said_at: { doc: "By the customer's clock, not after `taken_at`." },
        digest: { doc: 'SHA-256 of the answer.' },
      },
    },
    templates: {},
    recurrences: {},
    recurrence_days: {},
  },
}
