/**
 * What the bank and the accounting system know of a supplier's document, for purchases, and what the exchange has to report, for
 * the calendar of deadlines: these come before the parts that know.
 */
import { bankMovementsFor } from '../accounting/bank/port.ts'
import type { RelatedRecords } from '../context.ts'
import { erpPurchasesFor } from '../integrations/erp/records/port.ts'
import { answersDue } from '../integrations/exchange/said/port.ts'

export const related: RelatedRecords = {
  bank: bankMovementsFor,
  erp: erpPurchasesFor,
  answers: answersDue,
}
