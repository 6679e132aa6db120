/** The lookups slice for the others. */
export { checkCensus, checkVatNumber, listVatNumberChecks } from './check-party.ts'
export { exchangeRate } from './exchange-rate.ts'
