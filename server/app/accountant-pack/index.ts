/** The accountant's pack for the operations table. */
export { accountantPack } from './pack.ts'
