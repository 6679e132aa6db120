/** The operations of tax returns and of their filing. */
import { defineOperations, operation } from '../../context.ts'
import { vatBooks, checkVatBooks } from './books/vat-books.ts'
import {
  fiscalModelsContract,
  fiscalModelContract,
  fiscalBoxDocumentsContract,
  fiscalVatBooksContract,
  fiscalCheckBooksContract,
  fiscalMarkFiledContract,
  fiscalWithdrawFilingContract,
  fiscalSetInputContract,
  fiscalProfileContract,
  fiscalSetProfileContract,
  fiscalWageRecipientsContract,
  fiscalSetWageRecipientsContract,
} from './contract.ts'
import { markFiled, withdrawFiling, setInput, getProfile, setProfile } from './filings.ts'
import { boxDocuments } from './models/box-documents.ts'
import { fiscalModels, fiscalModel } from './models/models.ts'
import { getWageRecipients, setWageRecipients } from './models/wage-recipients.ts'

export const returnOperations = defineOperations([
  operation(fiscalModelsContract, fiscalModels),
  operation(fiscalModelContract, fiscalModel),
  operation(fiscalBoxDocumentsContract, boxDocuments),
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
])
