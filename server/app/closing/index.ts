/** Public interface of the close of a quarter. */
export { fiscalClosing } from './closing.ts'
export { enterVat } from './vat-entry.ts'
