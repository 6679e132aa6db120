/** The operations of the exchange of structured invoices. */
import { defineOperations, operation } from '../../context.ts'
import {
  cancelReportContract,
  exchangeAssumptionsContract,
  exchangeContactContract,
  exchangeDueContract,
  exchangeFileContract,
  exchangeMessageContract,
  exchangeReadinessContract,
  exchangeSettingsContract,
  exportStatusContract,
  getExchangeContract,
  importFileContract,
  listExchangeContract,
  pollExchangeContract,
  prepareExchangeContract,
  reportExchangeContract,
  retryExchangeContract,
  sendExchangeContract,
  setExchangeContactContract,
  setExchangeSettingsContract,
  windowExchangeContract,
  withdrawExchangeContract,
} from './contract.ts'
import { importFile } from './fetching/import-file.ts'
import { cancelReport, prepareExchange, reportExchange, withdrawExchange } from './said/report.ts'
import { pollExchange, retryExchange, sendExchange } from './said/send.ts'
import { exchangeContact, setExchangeContact } from './shown/contacts.ts'
import { exchangeFile, exchangeMessage, exportStatus } from './shown/files.ts'
import { exchangeDue, getExchange, listExchange, windowExchange } from './shown/list.ts'
import {
  exchangeAssumptions,
  exchangeReadiness,
  exchangeSettings,
  setExchangeSettings,
} from './shown/settings.ts'

export const exchangeOperations = defineOperations([
  operation(exchangeReadinessContract, exchangeReadiness),
  operation(exchangeAssumptionsContract, exchangeAssumptions),
  operation(exchangeSettingsContract, exchangeSettings),
  operation(setExchangeSettingsContract, setExchangeSettings),
  operation(exchangeContactContract, exchangeContact),
  operation(setExchangeContactContract, setExchangeContact),
  operation(listExchangeContract, listExchange),
  operation(windowExchangeContract, windowExchange),
  operation(exchangeDueContract, exchangeDue),
  operation(getExchangeContract, getExchange),
  operation(exchangeFileContract, exchangeFile),
  operation(exchangeMessageContract, exchangeMessage),
  operation(sendExchangeContract, sendExchange),
  operation(retryExchangeContract, retryExchange),
  operation(pollExchangeContract, pollExchange),
  operation(prepareExchangeContract, prepareExchange),
  operation(reportExchangeContract, reportExchange),
  operation(cancelReportContract, cancelReport),
  operation(withdrawExchangeContract, withdrawExchange),
  operation(exportStatusContract, exportStatus),
  operation(importFileContract, importFile),
])
