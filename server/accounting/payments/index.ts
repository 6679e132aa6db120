/** Public interface of the payments slice. */
export { invoicePayments, getPayment, listPayments, receivedPayments, windowPayments } from './list.ts'
export {
  createMandate,
  debitFactsOf,
  deleteMandate,
  getCreditor,
  listMandates,
  saveCreditor,
  updateMandate,
} from './debits/mandates.ts'
export { aging, openByDay, openItems } from './open.ts'
export {
  collectInvoices,
  createPayment,
  deletePaymentByPerson,
  payInvoice,
  payReceived,
  unpayInvoice,
  unpayReceived,
  writeOff,
} from './pay.ts'
export { recordPayment, removePayment } from './record.ts'
export { createReminder, invoiceReminders, listReminders, previewReminder } from './reminders/reminders.ts'
export {
  candidates,
  createRemittance,
  discardRemittance,
  getRemittance,
  listRemittances,
  remittanceFile,
  returnDebit,
  settleRemittance,
  unsettleRemittance,
} from './debits/remittances.ts'
export { linkToBank } from './rows.ts'
export { statement, statementFile } from './statement.ts'
export { verifyPayments } from './verify.ts'
