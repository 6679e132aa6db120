/** What the bank and the accounting system know of a supplier's document, for purchases, which come before both. */
import { bankMovementsFor } from '../accounting/bank/port.ts'
import type { RelatedRecords } from '../context.ts'
import { erpPurchasesFor } from '../integrations/erp/records/port.ts'

export const related: RelatedRecords = { bank: bankMovementsFor, erp: erpPurchasesFor }
