/** The types of every operation, for the window's typed client and for tests. Types only: nothing here is loaded at run time. */
import type { ContractOutput, ContractRequest, ContractsIn } from '../domain/contract/define-contract.ts'
import type * as apiKeys from '../platform/api-keys/contract.ts'
import type * as attachments from '../platform/attachments/contract.ts'
import type * as audit from '../platform/audit/contract.ts'
import type * as events from '../platform/events/contract.ts'
import type * as trash from '../platform/trash/contract.ts'
import type * as webhooks from '../platform/webhooks/contract.ts'
import type * as certificates from '../company/certificates/contract.ts'
import type * as company from '../company/contract.ts'
import type * as design from '../company/design/contract.ts'
import type * as series from '../company/series/contract.ts'
import type * as tax from '../tax/rules/contract.ts'
import type * as contacts from '../catalog/contacts/contract.ts'
import type * as items from '../catalog/items/contract.ts'
import type * as lookups from '../catalog/lookups/contract.ts'
import type * as registry from '../registry/contract.ts'
import type * as invoices from '../sales/invoices/contract.ts'
import type * as rectify from '../sales/invoices/correct/rectify-contract.ts'
import type * as approvals from '../sales/invoices/issue/approvals-contract.ts'
import type * as invoiceExport from '../sales/invoices/read/export-contract.ts'
import type * as quotes from '../sales/quotes/contract.ts'
import type * as recurring from '../sales/recurring/contract.ts'
import type * as intake from '../purchases/intake/contract.ts'
import type * as incoming from '../purchases/incoming/contract.ts'
import type * as incomingSources from '../purchases/incoming/sources/contract.ts'
import type * as received from '../purchases/invoices/contract.ts'
import type * as supplierMemory from '../purchases/memory/contract.ts'
import type * as assets from '../accounting/assets/contract.ts'
import type * as bank from '../accounting/bank/contract.ts'
import type * as ledger from '../accounting/ledger/contract.ts'
import type * as handOn from '../accounting/hand-on/contract.ts'
import type * as payments from '../accounting/payments/contract.ts'
import type * as debits from '../accounting/payments/debits/contract.ts'
import type * as reminders from '../accounting/payments/reminders/contract.ts'
import type * as returns from '../accounting/returns/contract.ts'
import type * as filing from '../accounting/returns/filing/contract.ts'
import type * as schemes from '../accounting/returns/schemes/contract.ts'
import type * as returnRecipients from '../accounting/returns/models/recipients-contract.ts'
import type * as returnDrafts from '../accounting/returns/drafts/contract.ts'
import type * as returnFiles from '../accounting/returns/files/contract.ts'
import type * as journey from '../app/journey/contract.ts'
import type * as arrivals from '../purchases/incoming/arrivals/contract.ts'
import type * as replies from '../sales/replies/contract.ts'
import type * as mail from '../documents/mail/contract.ts'
import type * as mailPlan from '../documents/mail/plan-contract.ts'
import type * as rendering from '../documents/rendering/contract.ts'
import type * as exports from '../documents/rendering/exports/contract.ts'
import type * as erp from '../integrations/erp/contract.ts'
import type * as portal from '../integrations/portal/contract.ts'
import type * as erpRecords from '../integrations/erp/records/contract.ts'
import type * as exchange from '../integrations/exchange/contract.ts'
import type * as appLock from '../app/app-lock/contract.ts'
import type * as proposals from '../app/approvals/contract.ts'
import type * as assistants from '../app/assistants/contract.ts'
import type * as backups from '../app/backups/contract.ts'
import type * as bundles from '../app/bundles/contract.ts'
import type * as closing from '../app/closing/contract.ts'
import type * as companies from '../app/companies/contract.ts'
import type * as consoleList from '../app/console/contract.ts'
import type * as consoleWork from '../app/console/work-contract.ts'
import type * as collaboration from '../app/collaboration/contract.ts'
import type * as demo from '../app/demo/contract.ts'
import type * as goingLive from '../app/going-live/contract.ts'
import type * as imports from '../app/imports/contract.ts'
import type * as leaving from '../app/leaving/contract.ts'
import type * as movingIn from '../app/moving-in/contract.ts'
import type * as inspection from '../app/inspection/contract.ts'
import type * as integrity from '../app/integrity/contract.ts'
import type * as handBack from '../app/office/hand-back/contract.ts'
import type * as people from '../app/people/contract.ts'
import type * as presence from '../app/people/presence/contract.ts'
import type * as privacy from '../app/privacy/contract.ts'
import type * as session from '../app/session/contract.ts'
import type * as views from '../app/session/views-contract.ts'
import type * as rateLimits from './rate-limits/contract.ts'

type Modules =
  | typeof apiKeys
  | typeof attachments
  | typeof audit
  | typeof events
  | typeof trash
  | typeof webhooks
  | typeof certificates
  | typeof company
  | typeof design
  | typeof series
  | typeof tax
  | typeof contacts
  | typeof items
  | typeof lookups
  | typeof registry
  | typeof invoices
  | typeof rectify
  | typeof approvals
  | typeof invoiceExport
  | typeof quotes
  | typeof recurring
  | typeof received
  | typeof supplierMemory
  | typeof incoming
  | typeof intake
  | typeof incomingSources
  | typeof assets
  | typeof bank
  | typeof ledger
  | typeof payments
  | typeof debits
  | typeof reminders
  | typeof returns
  | typeof filing
  | typeof schemes
  | typeof returnFiles
  | typeof returnDrafts
  | typeof returnRecipients
  | typeof journey
  | typeof arrivals
  | typeof replies
  | typeof mail
  | typeof mailPlan
  | typeof rendering
  | typeof exports
  | typeof erp
  | typeof erpRecords
  | typeof exchange
  | typeof portal
  | typeof appLock
  | typeof bundles
  | typeof proposals
  | typeof assistants
  | typeof backups
  | typeof handOn
  | typeof closing
  | typeof companies
  | typeof collaboration
  | typeof demo
  | typeof goingLive
  | typeof leaving
  | typeof handBack
  | typeof imports
  | typeof movingIn
  | typeof inspection
  | typeof integrity
  | typeof people
  | typeof presence
  | typeof privacy
  | typeof session
  | typeof views
  | typeof rateLimits
  | typeof consoleList
  | typeof consoleWork

type KnownContract = ContractsIn<Modules>

export type OperationName = KnownContract['name']
type ContractOf<Name extends OperationName> = Extract<KnownContract, { name: Name }>
/** The input as a caller sends it (before defaults are applied). */
export type InputOf<Name extends OperationName> = ContractRequest<ContractOf<Name>>
export type OutputOf<Name extends OperationName> = ContractOutput<ContractOf<Name>>
