/** Public interface of the accountant's pack. */
export { accountantPack } from './pack.ts'
