/** All contracts, and the types that the window's typed client and the tests derive from them. */
import type { z } from 'zod'
import type { AnyContract } from '../domain/contract/define-contract.ts'

/**
 * The contracts by part. A part is loaded at the first call of one of its operations: building all schemas would take
 * most of the start.
 */
export const PARTS = {
  company: async () => (await import('../company/contract.ts')).companyContracts,
  invoice: async () => (await import('../sales/invoices/contract.ts')).invoiceContracts,
  invoiceExport: async () =>
    (await import('../sales/invoices/read/export-contract.ts')).invoiceExportContracts,
  rectify: async () => (await import('../sales/invoices/correct/rectify-contract.ts')).rectifyContracts,
  document: async () => (await import('../documents/rendering/contract.ts')).documentContracts,
  export: async () => (await import('../documents/rendering/exports/contract.ts')).exportContracts,
  registry: async () => (await import('../registry/contract.ts')).registryContracts,
  certificate: async () => (await import('../company/certificates/contract.ts')).certificateContracts,
  audit: async () => (await import('../platform/audit/contract.ts')).auditContracts,
  event: async () => (await import('../platform/events/contract.ts')).eventContracts,
  key: async () => (await import('../platform/api-keys/contract.ts')).keyContracts,
  assistant: async () => (await import('../app/assistants/contract.ts')).assistantContracts,
  limit: async () => (await import('./rate-limits/contract.ts')).limitContracts,
  fiscal: async () => (await import('../accounting/returns/contract.ts')).fiscalContracts,
  approval: async () => (await import('../sales/invoices/issue/approvals-contract.ts')).approvalContracts,
  inbox: async () => (await import('../app/approvals/contract.ts')).inboxContracts,
  contact: async () => (await import('../catalog/contacts/contract.ts')).contactContracts,
  inspection: async () => (await import('../app/inspection/contract.ts')).inspectionContracts,
  verification: async () => (await import('../app/integrity/contract.ts')).verificationContracts,
  privacy: async () => (await import('../app/privacy/contract.ts')).privacyContracts,
  item: async () => (await import('../catalog/items/contract.ts')).itemContracts,
  import: async () => (await import('../app/imports/contract.ts')).importContracts,
  series: async () => (await import('../company/series/contract.ts')).seriesContracts,
  ledger: async () => (await import('../accounting/ledger/contract.ts')).ledgerContracts,
  quote: async () => (await import('../sales/quotes/contract.ts')).quoteContracts,
  recurring: async () => (await import('../sales/recurring/contract.ts')).recurringContracts,
  payment: async () => (await import('../accounting/payments/contract.ts')).paymentContracts,
  mail: async () => (await import('../documents/mail/contract.ts')).mailContracts,
  tax: async () => (await import('../tax/rules/contract.ts')).taxContracts,
  lookup: async () => (await import('../catalog/lookups/contract.ts')).lookupContracts,
  attachment: async () => (await import('../platform/attachments/contract.ts')).attachmentContracts,
  received: async () => (await import('../purchases/invoices/contract.ts')).receivedContracts,
  bank: async () => (await import('../accounting/bank/contract.ts')).bankContracts,
  erp: async () => (await import('../integrations/erp/contract.ts')).erpContracts,
  erpRecord: async () => (await import('../integrations/erp/records/contract.ts')).erpRecordContracts,
  webhook: async () => (await import('../platform/webhooks/contract.ts')).webhookContracts,
  bin: async () => (await import('../platform/trash/contract.ts')).trashContracts,
  backup: async () => (await import('../app/backups/contract.ts')).backupContracts,
  demo: async () => (await import('../app/demo/contract.ts')).demoContracts,
  goingLive: async () => (await import('../app/going-live/contract.ts')).goingLiveContracts,
  desk: async () => (await import('../app/session/contract.ts')).sessionContracts,
  view: async () => (await import('../app/session/views-contract.ts')).viewContracts,
  lock: async () => (await import('../app/app-lock/contract.ts')).lockContracts,
} as const

export type PartName = keyof typeof PARTS

/** Loads all contracts in their documented order. */
export async function loadContracts(): Promise<readonly AnyContract[]> {
  const parts: (readonly AnyContract[])[] = await Promise.all(Object.values(PARTS).map((load) => load()))
  return parts.flat()
}

/** Loads all event types. */
export async function loadEvents() {
  return (await import('../platform/events/contract.ts')).EVENTS
}
export type EventSpecs = Partial<Awaited<ReturnType<typeof loadEvents>>>

type KnownContract = Awaited<ReturnType<(typeof PARTS)[PartName]>>[number]
export type OperationName = KnownContract['name']
export type ContractOf<Name extends OperationName> = Extract<KnownContract, { name: Name }>
/** The input as a caller sends it (before defaults are applied). */
export type InputOf<Name extends OperationName> = z.input<ContractOf<Name>['input']>
export type OutputOf<Name extends OperationName> = z.output<ContractOf<Name>['output']>
