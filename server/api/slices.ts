/** The one list of the operations of all slices. Adding a slice adds a line here and its contracts to contracts.ts. */

/**
 * The operations of each slice, loaded when one of them is first called: building the schemas of all of them is most of what
 * a start would do. The order is that of OpenAPI, of the tools and of the reference; an operation of one slice whose function
 * belongs to a higher one cuts the list of the first in two.
 */
export const SLICES = {
  companyContext: async () => (await import('../app/assistants/context-operations.ts')).contextOperations,
  company: async () => (await import('../company/operations.ts')).companyOperations,
  invoice: async () => (await import('../sales/invoices/operations.ts')).invoiceOperations,
  invoiceExport: async () =>
    (await import('../sales/invoices/read/export-operations.ts')).invoiceExportOperations,
  rectify: async () => (await import('../sales/invoices/correct/rectify-operations.ts')).rectifyOperations,
  document: async () => (await import('../documents/rendering/operations.ts')).documentOperations,
  export: async () => (await import('../documents/rendering/exports/operations.ts')).exportOperations,
  registry: async () => (await import('../registry/operations.ts')).registryOperations,
  certificate: async () => (await import('../company/certificate-operations.ts')).certificateOperations,
  audit: async () => (await import('../platform/audit/operations.ts')).auditOperations,
  event: async () => (await import('../platform/events/operations.ts')).eventOperations,
  key: async () => (await import('../platform/api-keys/operations.ts')).keyOperations,
  keyByPerson: async () => (await import('../app/dashboard/operations.ts')).keyByPersonOperations,
  keyRevocation: async () => (await import('../platform/api-keys/operations.ts')).keyRevocationOperations,
  assistant: async () => (await import('../app/assistants/operations.ts')).assistantOperations,
  limit: async () => (await import('./rate-limits/operations.ts')).limitOperations,
  fiscalSummary: async () =>
    (await import('../integrations/erp/fiscal-operations.ts')).fiscalSummaryOperations,
  taxReturn: async () => (await import('../accounting/returns/operations.ts')).returnOperations,
  accountantPack: async () => (await import('../app/accountant-pack/operations.ts')).accountantPackOperations,
  handOn: async () => (await import('../accounting/hand-on/operations.ts')).handOnOperations,
  closing: async () => (await import('../app/closing/operations.ts')).closingOperations,
  filing: async () => (await import('../accounting/returns/operations.ts')).filingOperations,
  approval: async () => (await import('../sales/invoices/issue/approvals-operations.ts')).approvalOperations,
  approvalDecision: async () => (await import('../app/dashboard/operations.ts')).approvalDecisionOperations,
  inbox: async () => (await import('../app/proposal-checks/operations.ts')).inboxOperations,
  contact: async () => (await import('../catalog/contacts/operations.ts')).contactOperations,
  inspection: async () => (await import('../app/inspection/operations.ts')).inspectionOperations,
  verification: async () => (await import('../app/integrity/operations.ts')).verificationOperations,
  privacy: async () => (await import('../app/privacy/operations.ts')).privacyOperations,
  item: async () => (await import('../catalog/items/operations.ts')).itemOperations,
  import: async () => (await import('../app/imports/operations.ts')).importOperations,
  movingIn: async () => (await import('../app/moving-in/operations.ts')).movingInOperations,
  series: async () => (await import('../company/series/operations.ts')).seriesOperations,
  ledger: async () => (await import('../accounting/ledger/operations.ts')).ledgerOperations,
  asset: async () => (await import('../accounting/assets/operations.ts')).assetOperations,
  quote: async () => (await import('../sales/quotes/operations.ts')).quoteOperations,
  quoteDocument: async () =>
    (await import('../documents/rendering/quote-operations.ts')).quoteDocumentOperations,
  recurring: async () => (await import('../sales/recurring/operations.ts')).recurringOperations,
  payment: async () => (await import('../accounting/payments/operations.ts')).paymentOperations,
  mail: async () => (await import('../documents/mail/operations.ts')).mailOperations,
  tax: async () => (await import('../tax/rules/operations.ts')).taxOperations,
  lookup: async () => (await import('../catalog/lookups/operations.ts')).lookupOperations,
  attachment: async () => (await import('../platform/attachments/operations.ts')).attachmentOperations,
  received: async () => (await import('../purchases/invoices/operations.ts')).receivedOperations,
  incoming: async () => (await import('../purchases/incoming/operations.ts')).incomingOperations,
  incomingSource: async () =>
    (await import('../purchases/incoming/sources/operations.ts')).incomingSourceOperations,
  supplierMemory: async () => (await import('../purchases/memory/operations.ts')).supplierMemoryOperations,
  bank: async () => (await import('../accounting/bank/operations.ts')).bankOperations,
  erp: async () => (await import('../integrations/erp/operations.ts')).erpOperations,
  erpRecord: async () => (await import('../integrations/erp/records/operations.ts')).erpRecordOperations,
  webhook: async () => (await import('../platform/webhooks/operations.ts')).webhookOperations,
  trash: async () => (await import('../platform/trash/operations.ts')).trashOperations,
  backup: async () => (await import('../app/backups/operations.ts')).backupOperations,
  bundle: async () => (await import('../app/bundles/operations.ts')).bundleOperations,
  leaving: async () => (await import('../app/leaving/operations.ts')).leavingOperations,
  demo: async () => (await import('../app/demo/operations.ts')).demoOperations,
  goingLive: async () => (await import('../app/going-live/operations.ts')).goingLiveOperations,
  companies: async () => (await import('../app/companies/operations.ts')).companiesOperations,
  session: async () => (await import('../app/session/operations.ts')).sessionOperations,
  dashboard: async () => (await import('../app/dashboard/operations.ts')).dashboardOperations,
  console: async () => (await import('../app/console/operations.ts')).consoleOperations,
  view: async () => (await import('../app/session/views-operations.ts')).viewOperations,
  collaboration: async () => (await import('../app/collaboration/operations.ts')).collaborationOperations,
  lock: async () => (await import('../app/app-lock/operations.ts')).lockOperations,
} as const

export type SliceName = keyof typeof SLICES
