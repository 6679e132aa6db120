/** Exports of the lookups slice for other slices. */
export { checkCensus, checkVatNumber, listVatNumberChecks } from './check-party.ts'
export { exchangeRate } from './exchange-rate.ts'
