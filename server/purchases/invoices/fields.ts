/**
 * The header fields of a received invoice, each declared once. Columns, content, answers and input follow from this table.
 * Pure.
 *
 * Fields with rules of their own are not here: supplier (its address and two forms of its number), tax lines, sums,
 * withholding and exchange rate (amounts), deduction period (stored as a date), property and rectified invoices (groups).
 */
import type { Selectable } from 'kysely'
import type { ReceivedInvoicesTable } from '../../db/schema.ts'
import { documentFields } from '../../domain/document-fields.ts'
import type { ColumnsOf, FieldTable } from '../../domain/document-fields.ts'
import type { Received, ReceivedInput } from './contract.ts'

export const RECEIVED_HEADER = {
  kind: { type: 'choice', column: 'kind', usual: 'invoice' },
  supplierNumber: {
    type: 'text',
    column: 'supplier_number',
    max: 60,
    answer: 'nullable',
    description: { input: "The supplier's number. Required but for a receipt." },
  },
  issueDate: { type: 'date', column: 'issue_date' },
  receptionDate: { type: 'date', column: 'reception_date' },
  operationDate: { type: 'date', column: 'operation_date' },
  dueDate: { type: 'date', column: 'due_date' },
  concept: { type: 'choice', column: 'concept' },
  currency: { type: 'choice', column: 'currency', usual: 'EUR' },
  paymentMethod: { type: 'choice', column: 'payment_method' },
  cashAccounting: { type: 'flag', column: 'cash_accounting' },
  notes: { type: 'paragraph', column: 'notes', max: 2000, answer: 'nullable' },
  externalRef: { type: 'text', column: 'external_ref', max: 60, answer: 'nullable' },
} as const satisfies FieldTable<keyof ReceivedInvoicesTable, never>

type Name = keyof typeof RECEIVED_HEADER
export type ReceivedHeader = Pick<Received, Name>
type Columns = Pick<Selectable<ReceivedInvoicesTable>, ColumnsOf<typeof RECEIVED_HEADER>>

export const receivedHeader = documentFields<ReceivedHeader, Pick<ReceivedInput, Name>, Columns>(
  RECEIVED_HEADER,
)
