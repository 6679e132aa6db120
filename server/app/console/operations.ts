/** The operations of the console. */
import { defineOperations, operation } from '../../context.ts'
import { assignCompany, companyNotes, consoleStaff, enterCompany, noteCompany } from './care.ts'
import {
  assignCompanyContract,
  companyNotesContract,
  consoleStaffContract,
  consoleViewsContract,
  enterCompanyContract,
  listConsoleContract,
  noteCompanyContract,
  saveConsoleViewsContract,
  unsentContract,
} from './contract.ts'
import { listConsole } from './list.ts'
import { unsentCompanies } from './unsent.ts'
import { consoleViews, saveConsoleViews } from './views.ts'
import {
  cancelWorkContract,
  listWorksContract,
  startWorkContract,
  workContract,
  workFileContract,
} from './work-contract.ts'
import { workFile } from './work/file.ts'
import { cancelWork, getWork, listWorks, startWork } from './work/start.ts'

export const consoleOperations = defineOperations([
  operation(listConsoleContract, listConsole),
  operation(unsentContract, unsentCompanies),
  operation(consoleViewsContract, consoleViews),
  operation(saveConsoleViewsContract, saveConsoleViews),
  operation(consoleStaffContract, consoleStaff),
  operation(assignCompanyContract, assignCompany),
  operation(noteCompanyContract, noteCompany),
  operation(companyNotesContract, companyNotes),
  operation(enterCompanyContract, enterCompany),
  operation(startWorkContract, startWork),
  operation(listWorksContract, listWorks),
  operation(workContract, getWork),
  operation(cancelWorkContract, cancelWork),
  operation(workFileContract, workFile),
])
