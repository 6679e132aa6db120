/** The operations of the ledger. */
import { defineOperations, operation } from '../../context.ts'
import { listAccounts, saveAccount, removeAccount } from './chart/accounts-list.ts'
import {
  journalContract,
  journalWindowContract,
  entryContract,
  entriesOfContract,
  accountsContract,
  accountContract,
  trialBalanceContract,
  profitAndLossContract,
  balanceSheetContract,
  periodsContract,
  exportLedgerContract,
  writeEntryContract,
  removeWrittenContract,
  saveAccountContract,
  removeAccountContract,
  openBalancesContract,
  lockPeriodContract,
  closeYearContract,
  reopenYearContract,
  numberYearContract,
  settleVatContract,
} from './contract.ts'
import { listJournal, windowJournal, getEntry, entriesOf } from './journal/journal.ts'
import { writeEntry, removeWritten } from './journal/write.ts'
import { exportLedger } from './reports/export.ts'
import { accountStatement } from './reports/statement.ts'
import { profitAndLoss, balanceSheet } from './reports/statements.ts'
import { trialBalance } from './reports/trial-balance.ts'
import { openBalances } from './years/opening.ts'
import { listPeriods, lockPeriod } from './years/periods.ts'
import { settleVat } from './years/settle-vat.ts'
import { closeYear, reopenYear, numberYear } from './years/years.ts'

export const ledgerOperations = defineOperations([
  operation(journalContract, listJournal),
  operation(journalWindowContract, windowJournal),
  operation(entryContract, getEntry),
  operation(entriesOfContract, entriesOf),
  operation(accountsContract, listAccounts),
  operation(accountContract, accountStatement),
  operation(trialBalanceContract, trialBalance),
  operation(profitAndLossContract, profitAndLoss),
  operation(balanceSheetContract, balanceSheet),
  operation(periodsContract, listPeriods),
  operation(exportLedgerContract, exportLedger),
  operation(writeEntryContract, writeEntry),
  operation(removeWrittenContract, removeWritten),
  operation(saveAccountContract, saveAccount),
  operation(removeAccountContract, removeAccount),
  operation(openBalancesContract, openBalances),
  operation(lockPeriodContract, lockPeriod),
  operation(closeYearContract, closeYear),
  operation(reopenYearContract, reopenYear),
  operation(numberYearContract, numberYear),
  operation(settleVatContract, settleVat),
])
