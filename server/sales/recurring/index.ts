/** Public interface of templates and recurring invoices. */
export { recurringAttention, recurringExpected } from './list.ts'
export { prepareRecurring } from './prepare.ts'
