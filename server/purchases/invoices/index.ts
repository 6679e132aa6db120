/** Public interface of the received invoices. */
export { receptionNumber } from './content.ts'
export { attachReceived } from './files.ts'
export {
  countHistoryFile,
  deleteHistoryReceived,
  insertHistoryReceived,
  openCentsOfReceived,
  setHistoryPayable,
} from './history/write.ts'
export { countWithoutFile, getReceived } from './list.ts'
export { findDuplicate, findReceived, findReceivedByRow, supplierNumberKey, usualOf } from './rows.ts'
export { resolveReceived, settleReceived } from './settle.ts'
export { entriesOfSupplier, entriesWithFile, entriesWithoutFile } from './similar.ts'
export type { SimilarEntry } from './similar.ts'
export { RECEIVED_TARGET } from './view.ts'
export { createReceived, previewReceived, taughtEntry, voidReceived } from './write.ts'
