/** Contract of arrivals: the documents of one supplier's invoice, by whatever channels they came, and how they differ. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { Instant, PathId } from '../../../domain/contract/fields.ts'

export const ArrivalChannel = z.enum(['platform', 'mail', 'folder', 'drop', 'program']).meta({
  description:
    'platform: fetched from the public platform; mail: a mailbox; folder: a watched folder; drop: in the window or from a phone; program: by REST.',
})
export type ArrivalChannel = z.infer<typeof ArrivalChannel>

const ArrivalForm = z.enum(['facturae', 'ubl', 'cii', 'facturx', 'document']).meta({
  description: 'Its syntax; facturx: a PDF with CII inside; document: paper, picture or text.',
})
export type ArrivalForm = z.infer<typeof ArrivalForm>

export const ArrivalDifference = z
  .strictObject({
    field: z.enum([
      'kind',
      'total',
      'payable',
      'currency',
      'taxes',
      'customerNif',
      'supplierName',
      'issueDate',
      'dueDate',
      'iban',
    ]),
    before: z.string().nullable().meta({ description: 'As the earlier document or the entry says.' }),
    now: z.string().nullable().meta({ description: 'As this document says.' }),
    matters: z.boolean().meta({ description: 'It changes what the invoice is: amounts, taxes, parties.' }),
  })
  .meta({ id: 'ArrivalDifference' })
export type ArrivalDifference = z.infer<typeof ArrivalDifference>

export const Arrival = z
  .strictObject({
    id: z.string(),
    channel: ArrivalChannel,
    form: ArrivalForm,
    name: z.string().meta({ description: 'Of the file.' }),
    sha256: z.string().meta({ description: 'Of the document as it came, lower-case hexadecimal.' }),
    documentId: z.string().meta({ description: 'The incoming document that it belongs to.' }),
    attachmentId: z
      .string()
      .nullable()
      .meta({ description: 'The file as it came; null once it was deleted.' }),
    isRead: z.boolean(),
    differences: z.array(ArrivalDifference),
    conflict: z.boolean().meta({
      description:
        'Same supplier, number and day, and other amounts, taxes or parties in two documents that are certain. The later one changed nothing.',
    }),
    arrivedAt: Instant,
  })
  .meta({ id: 'Arrival' })
export type Arrival = z.infer<typeof Arrival>

const answer = z.strictObject({
  items: z.array(Arrival).meta({ description: 'In the order in which they came.' }),
})

export const receivedArrivalsContract = defineContract({
  name: 'received.arrivals',
  summary: 'The documents in which a received invoice arrived, by channel, and how they differ.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/received-invoices/:id/arrivals' },
  input: z.strictObject({ id: PathId }),
  output: answer,
  errors: ['not_found'],
})

export const incomingArrivalsContract = defineContract({
  name: 'incoming.arrivals',
  summary: 'The documents that belong to an incoming document, by channel, and how they differ.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/incoming-documents/:id/arrivals' },
  input: z.strictObject({ id: PathId }),
  output: answer,
  errors: ['not_found'],
})
