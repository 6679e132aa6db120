/** The operations that render and sign the documents of invoices. */
import { defineOperations, operation } from '../../context.ts'
import {
  invoicePdfContract,
  signInvoiceContract,
  previewInvoiceContract,
  sampleDesignContract,
} from './contract.ts'
import { sampleDesign } from './design-sample.ts'
import { invoicePdf, signInvoice, previewInvoice } from './invoice.ts'

export const documentOperations = defineOperations([
  operation(invoicePdfContract, invoicePdf),
  operation(signInvoiceContract, signInvoice),
  operation(previewInvoiceContract, previewInvoice),
  operation(sampleDesignContract, sampleDesign),
])
