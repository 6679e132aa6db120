/** Public interface of the bank slice. */
export {
  bankStanding,
  createBankAccount,
  deleteBankAccount,
  getBankAccount,
  listBankAccounts,
  updateBankAccount,
} from './accounts.ts'
export { applyBankRules, unapplyBankRules } from './automatic.ts'
export { importBankFile, listBankImports, previewBankFile, undoBankImport } from './import.ts'
export { ignoreTransaction, matchTransaction, unmatchTransaction } from './match.ts'
export { reconcileAccount } from './reconciliation.ts'
export { createBankRule, deleteBankRule, listBankRules, updateBankRule } from './rules.ts'
export { getTransaction, listTransactions, windowTransactions } from './transactions.ts'
