/** The operations that rectify and substitute issued invoices. */
import { defineOperations, operation } from '../../../context.ts'
import {
  rectifyInvoiceContract,
  rectifyOptionsContract,
  previewRectificationContract,
  substituteInvoicesContract,
} from './rectify-contract.ts'
import { rectifyInvoice, rectifyOptions, previewRectification } from './rectify.ts'
import { substituteInvoices } from './substitute.ts'

export const rectifyOperations = defineOperations([
  operation(rectifyInvoiceContract, rectifyInvoice),
  operation(rectifyOptionsContract, rectifyOptions),
  operation(previewRectificationContract, previewRectification),
  operation(substituteInvoicesContract, substituteInvoices),
])
