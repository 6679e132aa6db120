/** Public interface of the accountant's pack, for the operations table. */
export { accountantPack } from './pack.ts'
