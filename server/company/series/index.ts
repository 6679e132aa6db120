/** Exports of the series slice for other slices. */
export { defaultSeriesCode, kindReservedBy, printedNumber, sequencesBeginning, TEST_PREFIX } from './codes.ts'
export type { SeriesKind } from './codes.ts'
export { seriesFaults } from './faults.ts'
export { gapsOfBook, skipNumbers } from './gaps.ts'
export type { UsedElsewhere } from './gaps.ts'
export {
  createSeries,
  defaultCodeOf,
  ensureQuoteSeries,
  ensureSeries,
  listSeries,
  usualSeries,
} from './manage.ts'
export { findSeriesByCode, seriesOfBook, takeKnownNumber, takeNumber } from './rows.ts'
export type { SeriesRow } from './rows.ts'
