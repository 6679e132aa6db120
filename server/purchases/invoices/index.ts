/** Public interface of the received invoices. */
export { receptionNumber } from './content.ts'
export { countWithoutFile } from './list.ts'
export { findReceived, findReceivedByRow, supplierNumberKey } from './rows.ts'
export { resolveReceived, settleReceived } from './settle.ts'
export { RECEIVED_TARGET } from './view.ts'
export { createReceived, previewReceived, voidReceived } from './write.ts'
