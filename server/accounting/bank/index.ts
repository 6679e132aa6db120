/** Public interface of the bank slice. */
export { bankStanding, createBankAccount, findAccountByIban, removeMovedAccount } from './accounts.ts'
export { findAccount as findBankAccount } from './accounts.ts'
