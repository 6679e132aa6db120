/** Contract of the invoice list as a CSV file. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { ChosenIds, StreamAnswer } from '../../../domain/contract/fields.ts'
import { InvoiceFilter, InvoiceSort } from '../contract.ts'

export const exportInvoicesContract = defineContract({
  name: 'invoices.export',
  summary: 'Invoices as a CSV file, in the order of the list; drafts included.',
  description:
    'UTF-8 with its mark, semicolons, decimal commas and days as DD/MM/YYYY, as a Spanish spreadsheet opens it. For the documents themselves see exports.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'POST', path: '/invoices/export' },
  media: 'text/csv; charset=utf-8',
  input: z.strictObject({
    ids: ChosenIds,
    ...InvoiceFilter.shape,
    view: z
      .enum(['all', 'drafts', 'owed', 'overdue', 'trouble', 'unsigned', 'history'])
      .optional()
      .meta({ description: 'A saved view on top of the filter.' }),
    sort: InvoiceSort.optional(),
  }),
  output: StreamAnswer,
  errors: ['validation_failed', 'not_found'],
})
