/** Every contract, and the types that the window's typed client and the tests take from it. */
import type { z } from 'zod'
import type { AnyContract } from './core/contract.ts'

/**
 * The contracts by part. A part is loaded when one of its operations is first called: building the schemas of all of them is
 * most of what a start would do.
 */
export const PARTS = {
  company: async () => (await import('./company/contract.ts')).companyContracts,
  invoice: async () => (await import('./invoices/contract.ts')).invoiceContracts,
  invoiceExport: async () => (await import('./invoices/export-contract.ts')).invoiceExportContracts,
  rectify: async () => (await import('./invoices/rectify-contract.ts')).rectifyContracts,
  document: async () => (await import('./documents/contract.ts')).documentContracts,
  export: async () => (await import('./documents/exports-contract.ts')).exportContracts,
  registry: async () => (await import('./registry/contract.ts')).registryContracts,
  certificate: async () => (await import('./certificates/contract.ts')).certificateContracts,
  audit: async () => (await import('./audit/contract.ts')).auditContracts,
  event: async () => (await import('./events/contract.ts')).eventContracts,
  key: async () => (await import('./keys/contract.ts')).keyContracts,
  assistant: async () => (await import('./assistants/contract.ts')).assistantContracts,
  limit: async () => (await import('./limits/contract.ts')).limitContracts,
  fiscal: async () => (await import('./fiscal/contract.ts')).fiscalContracts,
  approval: async () => (await import('./invoices/approvals-contract.ts')).approvalContracts,
  inbox: async () => (await import('./inbox/contract.ts')).inboxContracts,
  contact: async () => (await import('./contacts/contract.ts')).contactContracts,
  inspection: async () => (await import('./inspection/contract.ts')).inspectionContracts,
  verification: async () => (await import('./self-check/contract.ts')).verificationContracts,
  privacy: async () => (await import('./privacy/contract.ts')).privacyContracts,
  item: async () => (await import('./items/contract.ts')).itemContracts,
  import: async () => (await import('./imports/contract.ts')).importContracts,
  series: async () => (await import('./series/contract.ts')).seriesContracts,
  ledger: async () => (await import('./ledger/contract.ts')).ledgerContracts,
  quote: async () => (await import('./quotes/contract.ts')).quoteContracts,
  recurring: async () => (await import('./recurring/contract.ts')).recurringContracts,
  payment: async () => (await import('./payments/contract.ts')).paymentContracts,
  mail: async () => (await import('./mail/contract.ts')).mailContracts,
  tax: async () => (await import('./tax/contract.ts')).taxContracts,
  lookup: async () => (await import('./lookups/contract.ts')).lookupContracts,
  attachment: async () => (await import('./attachments/contract.ts')).attachmentContracts,
  received: async () => (await import('./received/contract.ts')).receivedContracts,
  bank: async () => (await import('./bank/contract.ts')).bankContracts,
  erp: async () => (await import('./erp/contract.ts')).erpContracts,
  erpRecord: async () => (await import('./erp/records-contract.ts')).erpRecordContracts,
  webhook: async () => (await import('./webhooks/contract.ts')).webhookContracts,
  bin: async () => (await import('./bin/contract.ts')).binContracts,
  backup: async () => (await import('./backups/contract.ts')).backupContracts,
  demo: async () => (await import('./demo/contract.ts')).demoContracts,
  goingLive: async () => (await import('./going-live/contract.ts')).goingLiveContracts,
  desk: async () => (await import('./desk/contract.ts')).deskContracts,
  view: async () => (await import('./desk/views-contract.ts')).viewContracts,
  lock: async () => (await import('./desk/lock-contract.ts')).lockContracts,
} as const

export type PartName = keyof typeof PARTS

/** Every contract, in the order in which they are told. */
export async function loadContracts(): Promise<readonly AnyContract[]> {
  const parts: (readonly AnyContract[])[] = await Promise.all(Object.values(PARTS).map((load) => load()))
  return parts.flat()
}

/** Every kind of event, by type. */
export async function loadEvents() {
  return (await import('./events/contract.ts')).EVENTS
}
export type EventSpecs = Partial<Awaited<ReturnType<typeof loadEvents>>>

type KnownContract = Awaited<ReturnType<(typeof PARTS)[PartName]>>[number]
export type OperationName = KnownContract['name']
export type ContractOf<Name extends OperationName> = Extract<KnownContract, { name: Name }>
/** What a caller sends (before defaults are applied). */
export type InputOf<Name extends OperationName> = z.input<ContractOf<Name>['input']>
/** What a function receives (after validation). */
export type ParsedInputOf<Name extends OperationName> = z.output<ContractOf<Name>['input']>
export type OutputOf<Name extends OperationName> = z.output<ContractOf<Name>['output']>
