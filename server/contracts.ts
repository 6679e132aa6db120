/** Every contract in one list, and the types that the window's typed client and the tests take from it. */
import type { z } from 'zod'
import { assistantContracts } from './assistants/contract.ts'
import { attachmentContracts } from './attachments/contract.ts'
import { auditContracts } from './audit/contract.ts'
import { eventContracts } from './events/contract.ts'
import { backupContracts } from './backups/contract.ts'
import { bankContracts } from './bank/contract.ts'
import { binContracts } from './bin/contract.ts'
import { certificateContracts } from './certificates/contract.ts'
import { companyContracts } from './company/contract.ts'
import { contactContracts } from './contacts/contract.ts'
import { demoContracts } from './demo/contract.ts'
import { deskContracts } from './desk/contract.ts'
import { lockContracts } from './desk/lock-contract.ts'
import { viewContracts } from './desk/views-contract.ts'
import { documentContracts } from './documents/contract.ts'
import { exportContracts } from './documents/exports-contract.ts'
import { erpContracts } from './erp/contract.ts'
import { erpRecordContracts } from './erp/records-contract.ts'
import { fiscalContracts } from './fiscal/contract.ts'
import { importContracts } from './imports/contract.ts'
import { approvalContracts } from './invoices/approvals-contract.ts'
import { inspectionContracts } from './inspection/contract.ts'
import { verificationContracts } from './self-check/contract.ts'
import { inboxContracts } from './inbox/contract.ts'
import { invoiceContracts } from './invoices/contract.ts'
import { invoiceExportContracts } from './invoices/export-contract.ts'
import { rectifyContracts } from './invoices/rectify-contract.ts'
import { itemContracts } from './items/contract.ts'
import { keyContracts } from './keys/contract.ts'
import { limitContracts } from './limits/contract.ts'
import { lookupContracts } from './lookups/contract.ts'
import { mailContracts } from './mail/contract.ts'
import { paymentContracts } from './payments/contract.ts'
import { privacyContracts } from './privacy/contract.ts'
import { quoteContracts } from './quotes/contract.ts'
import { ledgerContracts } from './ledger/contract.ts'
import { receivedContracts } from './received/contract.ts'
import { recurringContracts } from './recurring/contract.ts'
import { registryContracts } from './registry/contract.ts'
import { seriesContracts } from './series/contract.ts'
import { taxContracts } from './tax/contract.ts'
import { webhookContracts } from './webhooks/contract.ts'

export const contracts = [
  ...companyContracts,
  ...invoiceContracts,
  ...invoiceExportContracts,
  ...rectifyContracts,
  ...documentContracts,
  ...exportContracts,
  ...registryContracts,
  ...certificateContracts,
  ...auditContracts,
  ...eventContracts,
  ...keyContracts,
  ...assistantContracts,
  ...limitContracts,
  ...fiscalContracts,
  ...approvalContracts,
  ...inboxContracts,
  ...contactContracts,
  ...inspectionContracts,
  ...verificationContracts,
  ...privacyContracts,
  ...itemContracts,
  ...importContracts,
  ...seriesContracts,
  ...ledgerContracts,
  ...quoteContracts,
  ...recurringContracts,
  ...paymentContracts,
  ...mailContracts,
  ...taxContracts,
  ...lookupContracts,
  ...attachmentContracts,
  ...receivedContracts,
  ...bankContracts,
  ...erpContracts,
  ...erpRecordContracts,
  ...webhookContracts,
  ...binContracts,
  ...backupContracts,
  ...demoContracts,
  ...deskContracts,
  ...viewContracts,
  ...lockContracts,
] as const

type KnownContract = (typeof contracts)[number]
export type OperationName = KnownContract['name']
export type ContractOf<Name extends OperationName> = Extract<KnownContract, { name: Name }>
/** What a caller sends (before defaults are applied). */
export type InputOf<Name extends OperationName> = z.input<ContractOf<Name>['input']>
/** What a function receives (after validation). */
export type ParsedInputOf<Name extends OperationName> = z.output<ContractOf<Name>['input']>
export type OutputOf<Name extends OperationName> = z.output<ContractOf<Name>['output']>
