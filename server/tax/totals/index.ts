/** Public interface of the tax totals: what every fact adds to its period, and sums that are read without a scan. */
export { accrueOverdueCash, countCash } from './cash.ts'
export type { CashPart } from './cash.ts'
export { countMissingFile, countOperation, countParty } from './count.ts'
export {
  EU_KEYS,
  NATURES,
  PARTY_TERRITORIES,
  SIDES,
  TAX_FAMILIES,
  WITHHOLDING_REASONS,
  euKeyOf,
  isSelfAssessed,
  partyTerritoryOf,
} from './operation.ts'
export type {
  EuKey,
  Nature,
  Operation,
  OperationParty,
  OperationSource,
  OperationTax,
  PartyTerritory,
  Side,
  TaxFamily,
  WithholdingReason,
} from './operation.ts'
export { monthNumber } from './parts.ts'
export type { Amounts, Group, Stage } from './parts.ts'
export {
  addedUp,
  entriesOf,
  euTotals,
  firstMonth,
  monthTotals,
  partiesAbove,
  partyQuarters,
  takenBackParts,
  taxTotals,
  taxTotalsByMonth,
  topParties,
  withholdingTotals,
} from './read.ts'
export type {
  EntryPosition,
  EuFigure,
  FigureEntry,
  MonthFigure,
  Months,
  MonthTotal,
  PartyFigure,
  TakenBackPart,
  TaxTotalRow,
  WithholdingFigure,
} from './read.ts'
export type { SourceType } from './source.ts'
export { verifyTaxTotals } from './verify.ts'
