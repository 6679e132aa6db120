/** The operation that sums up the taxes of a year, with what an ERP holds. */
import { fiscalSummaryContract } from '../../accounting/returns/contract.ts'
import { defineOperations, operation } from '../../context.ts'
import { fiscalSummary } from './summary.ts'

export const fiscalSummaryOperations = defineOperations([operation(fiscalSummaryContract, fiscalSummary)])
