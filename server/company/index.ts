/** The company slice for the others. */
export { currentCompany, environmentOf, issuerFacts, readinessOf } from './current.ts'
export type { IssuerFacts, Missing } from './current.ts'
export { changedDesign, designOf, getDesign, getLogo, logoOf, setDesign } from './design/design.ts'
export type { DesignFacts } from './design/design.ts'
export { readIban } from './iban.ts'
export { booksOfCompany, findCompany, listBooks, listCompanies, loadBook } from './rows.ts'
export type { CompanyRow, CompanyWithBooks } from './rows.ts'
export { createCompany, updateCompany } from './set-up.ts'
