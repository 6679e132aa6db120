/**
 * The tables as Kysely types, one file per area. The first migration documents the conventions (units, instants,
 * flags).
 */
import type { AccessTables } from './schema/platform/access.ts'
import type { AssistantsTables } from './schema/app/assistants.ts'
import type { ApprovalsTables } from './schema/app/approvals.ts'
import type { AttachmentsTables } from './schema/platform/attachments.ts'
import type { BankTables } from './schema/accounting/bank.ts'
import type { TrashTables } from './schema/platform/trash.ts'
import type { CertificatesTables } from './schema/company/certificates.ts'
import type { CompaniesTables } from './schema/company/companies.ts'
import type { ContactsTables } from './schema/catalog/contacts.ts'
import type { ErpTables } from './schema/erp.ts'
import type { FiguresTables } from './schema/figures.ts'
import type { FilingsTables } from './schema/accounting/filings.ts'
import type { ImportsTables } from './schema/app/imports.ts'
import type { InvoicesTables } from './schema/sales/invoices.ts'
import type { ItemsTables } from './schema/catalog/items.ts'
import type { LedgerTables } from './schema/accounting/ledger.ts'
import type { LookupsTables } from './schema/catalog/lookups.ts'
import type { MailTables } from './schema/mail.ts'
import type { PaymentsTables } from './schema/accounting/payments.ts'
import type { QuotesTables } from './schema/sales/quotes.ts'
import type { ReceivedTables } from './schema/received.ts'
import type { RecurringTables } from './schema/sales/recurring.ts'
import type { RegistryTables } from './schema/registry.ts'
import type { SeriesTables } from './schema/company/series.ts'
import type { WebhooksTables } from './schema/platform/webhooks.ts'

export type * from './schema/platform/access.ts'
export type * from './schema/app/assistants.ts'
export type * from './schema/app/approvals.ts'
export type * from './schema/platform/attachments.ts'
export type * from './schema/accounting/bank.ts'
export type * from './schema/platform/trash.ts'
export type * from './schema/company/certificates.ts'
export type * from './schema/company/companies.ts'
export type * from './schema/catalog/contacts.ts'
export type * from './schema/erp.ts'
export type * from './schema/figures.ts'
export type * from './schema/accounting/filings.ts'
export type * from './schema/app/imports.ts'
export type * from './schema/sales/invoices.ts'
export type * from './schema/catalog/items.ts'
export type * from './schema/accounting/ledger.ts'
export type * from './schema/catalog/lookups.ts'
export type * from './schema/mail.ts'
export type * from './schema/accounting/payments.ts'
export type * from './schema/sales/quotes.ts'
export type * from './schema/received.ts'
export type * from './schema/sales/recurring.ts'
export type * from './schema/registry.ts'
export type * from './schema/company/series.ts'
export type * from './schema/platform/webhooks.ts'

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
    TrashTables,
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
