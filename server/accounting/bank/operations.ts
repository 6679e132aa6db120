/** The operations of bank accounts and of their transactions. */
import { defineOperations, operation } from '../../context.ts'
import {
  listBankAccounts,
  getBankAccount,
  createBankAccount,
  updateBankAccount,
  deleteBankAccount,
} from './accounts.ts'
import { applyBankRules, unapplyBankRules } from './automatic.ts'
import {
  listBankAccountsContract,
  getBankAccountContract,
  createBankAccountContract,
  updateBankAccountContract,
  deleteBankAccountContract,
  previewBankFileContract,
  importBankFileContract,
  listBankImportsContract,
  undoBankImportContract,
  listBankTransactionsContract,
  windowBankTransactionsContract,
  getBankTransactionContract,
  matchBankTransactionContract,
  unmatchBankTransactionContract,
  ignoreBankTransactionContract,
  listBankRulesContract,
  createBankRuleContract,
  updateBankRuleContract,
  deleteBankRuleContract,
  applyBankRulesContract,
  unapplyBankRulesContract,
  reconcileBankAccountContract,
  missingReceiptsContract,
} from './contract.ts'
import { previewBankFile, importBankFile, listBankImports, undoBankImport } from './import.ts'
import { matchTransaction, unmatchTransaction, ignoreTransaction } from './match.ts'
import { missingReceipts } from './missing-receipts.ts'
import { reconcileAccount } from './reconciliation.ts'
import { listBankRules, createBankRule, updateBankRule, deleteBankRule } from './rules.ts'
import { listTransactions, windowTransactions, getTransaction } from './transactions.ts'

export const bankOperations = defineOperations([
  operation(listBankAccountsContract, listBankAccounts),
  operation(getBankAccountContract, getBankAccount),
  operation(createBankAccountContract, createBankAccount),
  operation(updateBankAccountContract, updateBankAccount),
  operation(deleteBankAccountContract, deleteBankAccount),
  operation(previewBankFileContract, previewBankFile),
  operation(importBankFileContract, importBankFile),
  operation(listBankImportsContract, listBankImports),
  operation(undoBankImportContract, undoBankImport),
  operation(listBankTransactionsContract, listTransactions),
  operation(windowBankTransactionsContract, windowTransactions),
  operation(getBankTransactionContract, getTransaction),
  operation(matchBankTransactionContract, matchTransaction),
  operation(unmatchBankTransactionContract, unmatchTransaction),
  operation(ignoreBankTransactionContract, ignoreTransaction),
  operation(listBankRulesContract, listBankRules),
  operation(createBankRuleContract, createBankRule),
  operation(updateBankRuleContract, updateBankRule),
  operation(deleteBankRuleContract, deleteBankRule),
  operation(applyBankRulesContract, applyBankRules),
  operation(unapplyBankRulesContract, unapplyBankRules),
  operation(reconcileBankAccountContract, reconcileAccount),
  operation(missingReceiptsContract, missingReceipts),
])
