/** The fiscal slice for the others. */
export { boxDocuments } from './box-documents.ts'
export { getProfile, markFiled, setInput, setProfile, withdrawFiling } from './filings.ts'
export { fiscalModel, fiscalModels } from './models.ts'
export { quarterObligations, yearObligations } from './obligations.ts'
export type { Obligation } from './obligations.ts'
export { fiscalSummary, nextObligation, outputVat, vatResult } from './summary.ts'
export { accountantPack } from './pack/pack.ts'
export { checkVatBooks, vatBooks } from './vat-books.ts'
