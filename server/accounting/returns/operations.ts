/** The operations of tax returns and of their filing. */
import { defineOperations, operation } from '../../context.ts'
import { fiscalDeadlines, fiscalDeadlinesCalendar } from './calendar/deadlines.ts'
import { vatBooks, checkVatBooks } from './books/vat-books.ts'
import {
  fiscalModelsContract,
  fiscalModelContract,
  fiscalBoxDocumentsContract,
  fiscalDeadlinesContract,
  fiscalDeadlinesCalendarContract,
  fiscalVatBooksContract,
  fiscalCheckBooksContract,
  fiscalMarkFiledContract,
  fiscalWithdrawFilingContract,
  fiscalSetInputContract,
  fiscalProfileContract,
  fiscalSetProfileContract,
} from './contract.ts'
import { markFiled, withdrawFiling, setInput, getProfile, setProfile } from './filings.ts'
import { fiscalImportFilingContract, fiscalReadFileContract } from './files/contract.ts'
import { importFilingFile } from './import-filing.ts'
import {
  checkFilingContract,
  filedFileContract,
  fileReturnContract,
  filingDocumentContract,
  filingsContract,
  filingSettingsContract,
  prepareFilingContract,
  returnFileContract,
  setFilingSettingsContract,
  validateReturnContract,
} from './filing/contract.ts'
import { checkFiling, fileReturn, validateReturn } from './filing/file.ts'
import { prepareFiling, returnFile } from './filing/prepare.ts'
import {
  filedFile,
  filingDocument,
  getFilingSettings,
  listFilings,
  setFilingSettings,
} from './filing/read.ts'
import { returnDraftContract } from './drafts/contract.ts'
import { returnDraft } from './drafts/draft.ts'
import { boxDocuments } from './models/box-documents.ts'
import { fiscalModels, fiscalModel } from './models/models.ts'
import {
  fiscalRentedPremisesContract,
  fiscalSetRentedPremisesContract,
  fiscalSetWageRecipientsContract,
  fiscalWageRecipientsContract,
} from './models/recipients-contract.ts'
import { getRentedPremises, setRentedPremises } from './models/rented-premises.ts'
import { getWageRecipients, setWageRecipients } from './models/wage-recipients.ts'
import { readFile } from './read-file.ts'
import { filingSchemesContract, setFilingSchemesContract } from './schemes/contract.ts'
import { getFilingSchemes, setFilingSchemes } from './schemes/state.ts'

export const returnOperations = defineOperations([
  operation(fiscalModelsContract, fiscalModels),
  operation(fiscalModelContract, fiscalModel),
  operation(fiscalBoxDocumentsContract, boxDocuments),
  operation(fiscalDeadlinesContract, fiscalDeadlines),
  operation(fiscalDeadlinesCalendarContract, fiscalDeadlinesCalendar),
  operation(fiscalVatBooksContract, vatBooks),
  operation(fiscalCheckBooksContract, checkVatBooks),
])

export const filingOperations = defineOperations([
  operation(fiscalMarkFiledContract, markFiled),
  operation(fiscalWithdrawFilingContract, withdrawFiling),
  operation(fiscalSetInputContract, setInput),
  operation(fiscalProfileContract, getProfile),
  operation(fiscalSetProfileContract, setProfile),
  operation(fiscalWageRecipientsContract, getWageRecipients),
  operation(fiscalSetWageRecipientsContract, setWageRecipients),
  operation(fiscalRentedPremisesContract, getRentedPremises),
  operation(fiscalSetRentedPremisesContract, setRentedPremises),
  operation(fiscalReadFileContract, readFile),
  operation(fiscalImportFilingContract, importFilingFile),
  operation(returnFileContract, returnFile),
  operation(returnDraftContract, returnDraft),
  operation(prepareFilingContract, prepareFiling),
  operation(fileReturnContract, fileReturn),
  operation(validateReturnContract, validateReturn),
  operation(checkFilingContract, checkFiling),
  operation(filingsContract, listFilings),
  operation(filingDocumentContract, filingDocument),
  operation(filedFileContract, filedFile),
  operation(filingSettingsContract, getFilingSettings),
  operation(setFilingSettingsContract, setFilingSettings),
  operation(filingSchemesContract, getFilingSchemes),
  operation(setFilingSchemesContract, setFilingSchemes),
])
