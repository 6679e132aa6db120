/** Exports of the company slice for other slices. */
export { currentCompany, environmentOf, issuerFacts, readinessOf } from './current.ts'
export { changedDesign, designOf, logoOf } from './design/design.ts'
export type { DesignFacts } from './design/design.ts'
export { findCompany, listCompanies } from './rows.ts'
export { listBooks } from '../platform/books/index.ts'
export type { CompanyRow } from './rows.ts'
export { createCompany, updateCompany } from './set-up.ts'
export { withTaxTitles } from './tax-titles.ts'
