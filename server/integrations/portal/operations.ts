/** The operations of the portal for invoices to public bodies. */
import { defineOperations, operation } from '../../context.ts'
import {
  cancelContract,
  getSubmissionContract,
  importDirectoryContract,
  listSubmissionsContract,
  portalOfInvoiceContract,
  portalSettingsContract,
  portalUnitsContract,
  refreshContract,
  setPortalSettingsContract,
  settleContract,
  simulateContract,
  submitContract,
  submittedFileContract,
} from './contract.ts'
import { importDirectory, searchUnits } from './directory/index.ts'
import {
  cancelSubmission,
  getSubmission,
  listSubmissions,
  refreshSubmission,
  settleUnknown,
  simulateState,
  submittedFile,
} from './manage.ts'
import { getPortalSettings, setPortalSettings } from './settings.ts'
import { portalOfInvoice, submitToPortal } from './submit.ts'

export const portalOperations = defineOperations([
  operation(portalSettingsContract, getPortalSettings),
  operation(setPortalSettingsContract, setPortalSettings),
  operation(portalUnitsContract, searchUnits),
  operation(importDirectoryContract, importDirectory),
  operation(portalOfInvoiceContract, portalOfInvoice),
  operation(submitContract, submitToPortal),
  operation(listSubmissionsContract, listSubmissions),
  operation(getSubmissionContract, getSubmission),
  operation(submittedFileContract, submittedFile),
  operation(cancelContract, cancelSubmission),
  operation(refreshContract, refreshSubmission),
  operation(settleContract, settleUnknown),
  operation(simulateContract, simulateState),
])
