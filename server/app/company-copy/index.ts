/**
 * Public interface of copies of a company: its rows are read from one store and written into another, whichever engines
 * they have, and proved to be the same.
 */
export { rowsOf, StoredContents } from './contents.ts'
export { copyCompany, unshifted } from './copy.ts'
export { companyDigest } from './digest.ts'
export type { CompanyDigest } from './digest.ts'
export { continueIds, highestGiven, reserveIds, united, withGiven } from './ids.ts'
export { ownReferences, stepsOf } from './order.ts'
export { companyRow, conditionOf, leftBehind, officeTables, placeholder, settingsOf, survey } from './side.ts'
export type { Side, Span, Survey } from './side.ts'
