/** Public interface of the returns slice. */
export { FAULT_MESSAGES } from './books/fault-messages.ts'
export { quarterReturn, returnPeriod } from './calendar/periods.ts'
export type { ReturnPeriod } from './calendar/periods.ts'
export { fiscalModel, modelsOf, modelView } from './models/models.ts'
export { upcomingReturns, vatToDate } from './calendar/upcoming.ts'
export type { PurchasesElsewhere } from './ports.ts'
export { fiscalSummaryWith, nextObligation, outputVat } from './summary.ts'
export { booksFile, checkedBooks } from './books/vat-books.ts'
