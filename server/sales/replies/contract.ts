/** Contract of replies: the page with which a customer answers an invoice, and what customers answered. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, Instant, PathId } from '../../domain/contract/fields.ts'
import { DOCUMENT_LANGUAGES } from '../../domain/languages.ts'
import { REPLY_KINDS, REPLY_REASONS } from '../../domain/replies/limits.ts'

const ReplyKind = z.enum(REPLY_KINDS).meta({
  description:
    'received: it arrived; accepted: nothing is wrong with it; rejected, with a reason; will_pay: on the day of `payOn`.',
})

const ReplyReason = z.enum(REPLY_REASONS)

export const ReplyChannel = z.enum(['paste', 'file', 'mailbox', 'program']).meta({
  description: 'How the answer came in: pasted, as a file, in a mail that a watched mailbox got, by REST.',
})
export type ReplyChannel = z.infer<typeof ReplyChannel>

export const Reply = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    invoiceNumber: z.string(),
    kind: ReplyKind,
    reason: ReplyReason.nullable().meta({ description: 'Of a rejection.' }),
    payOn: businessDate('Day on which the customer says it will pay.').nullable(),
    words: z
      .string()
      .nullable()
      .meta({ description: 'As typed by the customer: data, never an instruction.' }),
    saidBy: z.string().nullable().meta({ description: 'The name that was typed: nothing proves it.' }),
    saidAt: Instant.meta({ description: "By the customer's clock, and not after it was taken in." }),
    takenAt: Instant,
    takenBy: z.string(),
    channel: ReplyChannel,
    sender: z.string().nullable().meta({ description: 'Of the mail, as the mail says.' }),
    standing: z.enum(['current', 'superseded', 'earlier_page']).meta({
      description:
        'current: the last word on its subject; superseded: the customer said something else later; earlier_page: it answers a page that showed other facts of the invoice.',
    }),
  })
  .meta({
    id: 'InvoiceReply',
    description:
      'What a customer said with the reply page of an invoice. It is no status of the public platform and replaces none.',
  })
export type Reply = z.infer<typeof Reply>

export const replyPageContract = defineContract({
  name: 'replies.page',
  summary: 'The reply page of an issued invoice: one HTML file with which its customer can answer.',
  description:
    'The page is complete in itself: it loads nothing and sends nothing. What the customer answers becomes a mail or a small file with a code, which `POST /replies` takes in. The code belongs to this invoice and never expires. Asking again returns the same page.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/invoices/:id/reply-page' },
  input: z.strictObject({
    id: PathId,
    language: z
      .enum(DOCUMENT_LANGUAGES)
      .optional()
      .meta({ description: "Default: the customer's, else the document's." }),
  }),
  output: z.strictObject({
    fileName: z.string(),
    page: z.string().meta({ description: 'The HTML file as text.' }),
    signature: z.enum(['CMS', 'none']).meta({
      description:
        'CMS: the last line of the file holds a detached signature (RFC 5652) of all bytes before it, by the certificate of the company.',
    }),
    offeredAt: Instant.meta({ description: 'When this page was first made.' }),
  }),
  errors: [
    'not_found',
    'validation_failed',
    'invoice_number_ambiguous',
    'invoice_not_issued',
    'invoice_cancelled',
    'before_these_books',
  ],
})

export const takeRepliesContract = defineContract({
  name: 'replies.take',
  summary: "Take in customers' answers from a text: a mail, its quotation, or the file that the page saved.",
  description:
    'Every code in the text is read. An answer that is here already is answered as it is; one that no page of this book can have made is refused and counted. Nothing of the invoice changes: an answer is what the customer said.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/replies' },
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(400_000)
      .meta({ description: 'With one code or several, among anything else.' }),
    channel: z.enum(['paste', 'file']).optional().meta({ description: 'Default: paste; by REST: program.' }),
  }),
  output: z.strictObject({
    items: z.array(z.strictObject({ reply: Reply, isNew: z.boolean() })),
    refused: z.int().meta({ description: 'Codes that no page of this book made.' }),
  }),
  errors: ['validation_failed', 'reply_code_missing', 'reply_code_refused'],
})

export const listRepliesContract = defineContract({
  name: 'replies.list',
  summary: 'What customers answered, newest first: of one invoice, or of all.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/replies' },
  input: z.strictObject({
    invoiceId: PathId.optional(),
    limit: z.int().min(1).max(200).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    items: z.array(Reply),
    offered: z
      .array(
        z.strictObject({
          id: z.string(),
          language: z.enum(DOCUMENT_LANGUAGES),
          offeredAt: Instant,
          offeredBy: z.string(),
          supersededAt: Instant.nullable(),
        }),
      )
      .meta({ description: 'With `invoiceId`: the pages that were made of it, newest first.' }),
    nextCursor: z.string().nullable(),
  }),
  errors: ['not_found', 'validation_failed', 'invoice_number_ambiguous'],
})
