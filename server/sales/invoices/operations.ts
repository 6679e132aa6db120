/** The operations of an invoice, from draft to issue. */
import { defineOperations, operation } from '../../context.ts'
import {
  listInvoicesContract,
  createDraftContract,
  getInvoiceContract,
  updateDraftContract,
  deleteDraftContract,
  validateInvoiceContract,
  issueInvoiceContract,
  cancelInvoiceContract,
  amendInvoiceContract,
  windowInvoicesContract,
} from './contract.ts'
import { amendInvoice } from './correct/amend.ts'
import { cancelInvoice } from './correct/cancel.ts'
import { createDraft, updateDraft, deleteDraft } from './draft/drafts.ts'
import { issueInvoice } from './issue/issue.ts'
import { validateInvoice } from './issue/validate.ts'
import { getInvoice } from './read/get.ts'
import { listInvoices, windowInvoices } from './read/list.ts'

export const invoiceOperations = defineOperations([
  operation(listInvoicesContract, listInvoices),
  operation(createDraftContract, createDraft),
  operation(getInvoiceContract, getInvoice),
  operation(updateDraftContract, updateDraft),
  operation(deleteDraftContract, deleteDraft),
  operation(validateInvoiceContract, validateInvoice),
  operation(issueInvoiceContract, issueInvoice),
  operation(cancelInvoiceContract, cancelInvoice),
  operation(amendInvoiceContract, amendInvoice),
  operation(windowInvoicesContract, windowInvoices),
])
