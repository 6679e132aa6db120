/** The tables as Kysely sees them, one file for each area. Conventions (units, instants, flags) stand in the first migration. */
import type { AccessTables } from './schema/access.ts'
import type { AssistantsTables } from './schema/assistants.ts'
import type { ApprovalsTables } from './schema/approvals.ts'
import type { AttachmentsTables } from './schema/attachments.ts'
import type { BankTables } from './schema/bank.ts'
import type { BinTables } from './schema/bin.ts'
import type { CertificatesTables } from './schema/certificates.ts'
import type { CompaniesTables } from './schema/companies.ts'
import type { ContactsTables } from './schema/contacts.ts'
import type { ErpTables } from './schema/erp.ts'
import type { FiguresTables } from './schema/figures.ts'
import type { FilingsTables } from './schema/filings.ts'
import type { ImportsTables } from './schema/imports.ts'
import type { InvoicesTables } from './schema/invoices.ts'
import type { ItemsTables } from './schema/items.ts'
import type { LedgerTables } from './schema/ledger.ts'
import type { LookupsTables } from './schema/lookups.ts'
import type { MailTables } from './schema/mail.ts'
import type { PaymentsTables } from './schema/payments.ts'
import type { QuotesTables } from './schema/quotes.ts'
import type { ReceivedTables } from './schema/received.ts'
import type { RecurringTables } from './schema/recurring.ts'
import type { RegistryTables } from './schema/registry.ts'
import type { SeriesTables } from './schema/series.ts'
import type { WebhooksTables } from './schema/webhooks.ts'

export type * from './schema/access.ts'
export type * from './schema/assistants.ts'
export type * from './schema/approvals.ts'
export type * from './schema/attachments.ts'
export type * from './schema/bank.ts'
export type * from './schema/bin.ts'
export type * from './schema/certificates.ts'
export type * from './schema/companies.ts'
export type * from './schema/contacts.ts'
export type * from './schema/erp.ts'
export type * from './schema/figures.ts'
export type * from './schema/filings.ts'
export type * from './schema/imports.ts'
export type * from './schema/invoices.ts'
export type * from './schema/items.ts'
export type * from './schema/ledger.ts'
export type * from './schema/lookups.ts'
export type * from './schema/mail.ts'
export type * from './schema/payments.ts'
export type * from './schema/quotes.ts'
export type * from './schema/received.ts'
export type * from './schema/recurring.ts'
export type * from './schema/registry.ts'
export type * from './schema/series.ts'
export type * from './schema/webhooks.ts'
export type { Flag } from './schema/columns.ts'

export interface Schema
  extends
    CompaniesTables,
    AssistantsTables,
    ContactsTables,
    SeriesTables,
    ItemsTables,
    QuotesTables,
    RecurringTables,
    InvoicesTables,
    FiguresTables,
    AttachmentsTables,
    ReceivedTables,
    PaymentsTables,
    BankTables,
    BinTables,
    ErpTables,
    LedgerTables,
    FilingsTables,
    ImportsTables,
    MailTables,
    LookupsTables,
    RegistryTables,
    CertificatesTables,
    AccessTables,
    ApprovalsTables,
    WebhooksTables {}
