/** The operation that makes the accountant's pack. */
import { fiscalPackContract } from '../../accounting/returns/contract.ts'
import { defineOperations, operation } from '../../context.ts'
import { accountantPack } from './pack.ts'

export const accountantPackOperations = defineOperations([operation(fiscalPackContract, accountantPack)])
