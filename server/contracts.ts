/** Every contract in one list, and the types that the window's typed client and the tests take from it. */
import type { z } from 'zod'
import { auditContracts } from './audit/contract.ts'
import { certificateContracts } from './certificates/contract.ts'
import { companyContracts } from './company/contract.ts'
import { contactContracts } from './contacts/contract.ts'
import { deskContracts } from './desk/contract.ts'
import { fiscalContracts } from './fiscal/contract.ts'
import { inboxContracts } from './inbox/contract.ts'
import { invoiceContracts } from './invoices/contract.ts'
import { keyContracts } from './keys/contract.ts'
import { registryContracts } from './registry/contract.ts'
import { seriesContracts } from './series/contract.ts'

export const contracts = [
  ...companyContracts,
  ...invoiceContracts,
  ...registryContracts,
  ...certificateContracts,
  ...auditContracts,
  ...keyContracts,
  ...fiscalContracts,
  ...inboxContracts,
  ...contactContracts,
  ...seriesContracts,
  ...deskContracts,
] as const

type KnownContract = (typeof contracts)[number]
export type OperationName = KnownContract['name']
export type ContractOf<Name extends OperationName> = Extract<KnownContract, { name: Name }>
/** What a caller sends (before defaults are applied). */
export type InputOf<Name extends OperationName> = z.input<ContractOf<Name>['input']>
/** What a function receives (after validation). */
export type ParsedInputOf<Name extends OperationName> = z.output<ContractOf<Name>['input']>
export type OutputOf<Name extends OperationName> = z.output<ContractOf<Name>['output']>
