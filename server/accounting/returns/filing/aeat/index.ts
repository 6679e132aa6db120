/** The tax agency (AEAT): its services for self-assessments and for informative returns, over a transport. */
import type { FilingService, Transport } from '../service.ts'
import { fileInformative, isInformative, numberOf, queryInformative } from './informative.ts'
import {
  documentMessage,
  filingMessage,
  queryMessage,
  readDocument,
  readFilingAnswer,
  readQueryAnswer,
  readValidationAnswer,
  validationMessage,
} from './messages.ts'

/** Informative returns have no service of validation: their own checks each record, before anything is presented. */
const CHECKED_WHILE_SENDING = 'Not checked before: the service checks each record while it is sent.'

/** Creates the services over a transport. */
export function createFilingService(transport: Transport): FilingService {
  return {
    validate: async (file) =>
      isInformative(file.model)
        ? { kind: 'valid', notices: [CHECKED_WHILE_SENDING], draft: null }
        : readValidationAnswer(await transport(validationMessage(file))),
    file: async (file, by, paymentReference) =>
      isInformative(file.model)
        ? fileInformative(transport, file, by)
        : readFilingAnswer(await transport(filingMessage(file, by.signer, paymentReference))),
    query: async (of) =>
      isInformative(of.model)
        ? queryInformative(transport, of)
        : readQueryAnswer(await transport(queryMessage(of)), of),
    ownNumber: (file) => (isInformative(file.model) ? numberOf(file) : null),
    document: async (csv) => readDocument(await transport(documentMessage(csv))),
  }
}
