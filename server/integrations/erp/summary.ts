/** The fiscal summary with the purchases that only the accounting system knows. */
import { fiscalSummaryWith } from '../../accounting/returns/index.ts'
import type { fiscalSummaryContract } from '../../accounting/returns/contract.ts'
import type { UseCase } from '../../context.ts'
import { erpPurchases } from './records/purchases.ts'

/** Returns the figures of a period, those of the accounting system marked as such. */
export const fiscalSummary: UseCase<typeof fiscalSummaryContract> = (ctx, input) =>
  fiscalSummaryWith(erpPurchases, ctx, input)
