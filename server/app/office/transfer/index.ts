/** Public interface of transfers: companies between folders and offices, and between the cells of an office. */
export { verifyInOffice } from './arrival.ts'
export { Directory } from './directory.ts'
export { exportCompany } from './export.ts'
export { forgetCompany } from './forget.ts'
export { importBooks } from './import.ts'
export type { ImportResult } from './import.ts'
export { moveCompany } from './move.ts'
export type { CellAddress, MoveResult } from './move.ts'
