/** Public interface of the tax totals: what every fact adds to its period, and sums that are read without a scan. */
export { accrueOverdueCash, countCash } from './cash.ts'
export { countHistory, countMissingFile, countOperation, countOperations, countParty } from './count.ts'
export { dropEmptyTotals } from './drop-empty.ts'
export { isSelfAssessed } from './operation.ts'
export type { Operation, OperationTax, Side, WithholdingReason } from './operation.ts'
export { monthNumber } from './parts.ts'
export type { Amounts, Group } from './parts.ts'
export {
  sumMonths,
  entriesOf,
  euTotals,
  firstMonth,
  monthTotals,
  partiesAbove,
  partyQuarters,
  takenBackParts,
  taxesCounted,
  taxTotals,
  taxTotalsByMonth,
  topParties,
  withholdingTotals,
} from './read.ts'
export type {
  CountedTax,
  EntryPosition,
  EuFigure,
  FigureEntry,
  MonthFigure,
  Months,
  MonthTotal,
  TaxTotalRow,
  WithholdingFigure,
} from './read.ts'
export { verifyTaxTotals } from './verify.ts'
