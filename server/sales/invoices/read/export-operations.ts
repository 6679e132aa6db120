/** The operation that exports the list of invoices. */
import { defineOperations, operation } from '../../../context.ts'
import { exportInvoicesContract } from './export-contract.ts'
import { exportInvoices } from './export.ts'

export const invoiceExportOperations = defineOperations([operation(exportInvoicesContract, exportInvoices)])
