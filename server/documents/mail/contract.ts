/** Contract of mail: the sending account, the templates, a mail before it is sent, and its outcome. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, businessDate, Instant, line, paragraph, PathId } from '../../domain/contract/fields.ts'
import { INSTALMENTS } from '../../domain/tax/instalments.ts'
import { DOCUMENT_LANGUAGES } from '../../domain/languages.ts'

export const MailKind = z
  .enum(['invoice', 'quote', 'reminder', 'statement'])
  .meta({ description: 'What it is about. A quote is also a proforma or a delivery note.' })
export type MailKind = z.infer<typeof MailKind>

export const TemplateKind = z.enum([
  'invoice',
  'quote',
  'reminder_1',
  'reminder_2',
  'reminder_3',
  'statement',
])
export type TemplateKind = z.infer<typeof TemplateKind>

const Language = z.enum(DOCUMENT_LANGUAGES)

/** A single address: no name, no second address, no characters that could add a header. */
export const MailAddress = z.email().max(254)

const MailSecurity = z.enum(['tls', 'starttls', 'plain']).meta({
  description:
    'tls: encrypted from the start (465); starttls: encrypted before anything is said (587); plain: sandboxes only.',
})

// ---- Account ----

export const MailAccount = z
  .strictObject({
    channel: z.enum(['program', 'smtp']).meta({
      description: 'program: mails are handed to the mail program of the computer; smtp: Sello sends them.',
    }),
    host: z.string().nullable(),
    port: z.int().nullable(),
    security: MailSecurity.nullable(),
    user: z.string().nullable(),
    hasPassword: z.boolean().meta({ description: 'The password itself is never shown again.' }),
    fromName: z.string().nullable(),
    fromAddress: z.string().nullable(),
    replyTo: z.string().nullable(),
    copyToSelf: z.boolean(),
    testedAt: Instant.nullable().meta({ description: 'When a test mail last went out with these data.' }),
    sandbox: z.boolean().meta({ description: 'Only servers on this computer are called.' }),
    version: z.int(),
  })
  .meta({ id: 'MailAccount' })
export type MailAccount = z.infer<typeof MailAccount>

export const mailAccountContract = defineContract({
  name: 'mail.account',
  summary: 'How the company sends mail.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: MailAccount,
  errors: [],
})

export const saveMailAccountContract = defineContract({
  name: 'mail.saveAccount',
  summary: 'Say how the company sends mail. A password left out stays, as long as server and user stay.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    channel: z.enum(['program', 'smtp']),
    host: z
      .string()
      .max(253)
      .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.:-]*[A-Za-z0-9])?$|^::1$/)
      .nullable()
      .optional(),
    port: z.int().min(1).max(65_535).nullable().optional(),
    security: MailSecurity.nullable().optional(),
    user: line(254).nullable().optional(),
    password: line(500).nullable().optional(),
    fromName: line(120).nullable().optional(),
    fromAddress: MailAddress.nullable().optional(),
    replyTo: MailAddress.nullable().optional(),
    copyToSelf: z.boolean().optional(),
    expectedVersion: z.int().optional(),
  }),
  output: MailAccount,
  errors: ['validation_failed', 'version_conflict'],
})

export const MailReason = z
  .enum([
    'unreachable',
    'timeout',
    'not_trusted',
    'no_encryption',
    'login_refused',
    'recipient_refused',
    'refused',
    'try_later',
    'too_large',
    'connection_lost',
    'interrupted',
    'not_configured',
  ])
  .meta({ description: 'Why a mail did not go, or why nobody knows whether it did.' })
export type MailReason = z.infer<typeof MailReason>

export const testMailAccountContract = defineContract({
  name: 'mail.test',
  summary: "Send a test mail to the company's own address now.",
  access: 'person',
  effect: 'write',
  external: true,
  input: z.strictObject({}),
  output: z.strictObject({
    outcome: z.enum(['sent', 'failed', 'unknown']),
    to: z.string(),
    reason: MailReason.nullable(),
    detail: z.string().nullable().meta({ description: 'What the server said.' }),
  }),
  errors: ['mail_not_configured'],
})

// ---- Templates ----

export const MailTemplate = z
  .strictObject({
    kind: TemplateKind,
    language: Language,
    subject: z.string(),
    body: z.string(),
    isOwn: z.boolean().meta({ description: 'False: the words Sello comes with.' }),
    placeholders: z.array(z.string()),
  })
  .meta({ id: 'MailTemplate' })
export type MailTemplate = z.infer<typeof MailTemplate>

export const listMailTemplatesContract = defineContract({
  name: 'mail.templates',
  summary: 'The words of mails, by kind and language.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(MailTemplate) }),
  errors: [],
})

export const saveMailTemplateContract = defineContract({
  name: 'mail.saveTemplate',
  summary: 'Change the words of a kind of mail; without words it goes back to those Sello comes with.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    kind: TemplateKind,
    language: Language,
    words: z.strictObject({ subject: line(200), body: paragraph(20_000, 1) }).nullable(),
  }),
  output: MailTemplate,
  errors: ['validation_failed'],
})

// ---- Mail before sending ----

const about = {
  kind: MailKind,
  ids: z.array(PathId).min(1).max(100).meta({
    description: 'One invoice, quote or contact (of a statement), or the late invoices of a reminder.',
  }),
  language: Language.optional().meta({ description: "Default: the customer's, else the document's." }),
  level: z
    .int()
    .min(0)
    .max(3)
    .optional()
    .meta({ description: 'Of a reminder. Default: the next one; 0 before the due date.' }),
  instalment: z.int().min(1).max(INSTALMENTS.max).optional().meta({
    description: 'Of a reminder of one invoice in instalments. Default: those that are late.',
  }),
  claimInterest: z.boolean().optional().meta({ description: 'Of a reminder.' }),
  from: businessDate('Of a statement. Default: 1 January.').optional(),
  until: businessDate('Of a statement. Default: today.').optional(),
}

export const MailDraft = z
  .strictObject({
    kind: MailKind,
    language: Language,
    level: z.int().nullable(),
    name: z.string().meta({ description: 'Whom it is for.' }),
    from: z.string().nullable(),
    to: z.array(z.string()),
    subject: z.string(),
    body: z.string(),
    attachments: z.array(
      z.strictObject({
        name: z.string(),
        mediaType: z.string(),
        isExtra: z.boolean().meta({ description: 'Goes along only when it is named.' }),
      }),
    ),
    lacking: z.array(z.strictObject({ format: z.string(), why: z.string() })).meta({
      description:
        'Files that the customer usually gets and this invoice cannot have, with the reason of `format_unavailable`. Sending without naming the attachments is refused then.',
    }),
    canSend: z
      .boolean()
      .meta({ description: 'False: there is no account, so it is handed to the mail program.' }),
    ownAddresses: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Of a test book: the only addresses it may send to.' }),
  })
  .meta({ id: 'MailDraft' })
export type MailDraft = z.infer<typeof MailDraft>

export const prepareMailContract = defineContract({
  name: 'mail.prepare',
  summary: 'The mail about a document as it would go: recipient, words and attachments. Sends nothing.',
  description: 'Only a person sends, in the app.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'POST', path: '/mails/prepare' },
  input: z.strictObject(about),
  output: MailDraft,
  errors: [
    'not_found',
    'validation_failed',
    'invoice_number_ambiguous',
    'mail_not_issued',
    'before_these_books',
    'invoice_settled',
    'invoice_not_late',
  ],
})

// ---- Outcome ----

export const MailState = z.enum(['queued', 'sending', 'sent', 'failed', 'unknown', 'handed', 'discarded'])

export const Mail = z
  .strictObject({
    id: z.string(),
    kind: MailKind,
    channel: z.enum(['smtp', 'program']),
    state: MailState.meta({
      description:
        'unknown: the connection broke after the mail was handed over; handed: given to the mail program, which tells nobody more.',
    }),
    language: Language,
    from: z.string().nullable(),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    subject: z.string(),
    body: z.string(),
    attachments: z.array(
      z.strictObject({ name: z.string(), mediaType: z.string(), size: z.int(), sha256: z.string() }),
    ),
    documents: z.array(
      z.strictObject({ type: z.enum(['invoice', 'quote']), id: z.string(), number: z.string() }),
    ),
    refused: z
      .array(z.string())
      .meta({ description: 'Recipients the server did not take, of a mail it took.' }),
    attempts: z.int(),
    nextAttemptAt: Instant.nullable(),
    reason: MailReason.nullable(),
    detail: z.string().nullable().meta({ description: 'What the server said.' }),
    by: z.string().meta({ description: 'Who sent it.' }),
    createdAt: Instant,
    settledAt: Instant.nullable(),
    actions: z.array(z.enum(['again', 'delivered', 'discard'])),
  })
  .meta({ id: 'Mail' })
export type Mail = z.infer<typeof Mail>

const mailFields = {
  ...about,
  to: z.array(MailAddress).min(1).max(20),
  cc: z.array(MailAddress).max(20).optional(),
  subject: line(200),
  body: paragraph(20_000, 1),
  attachments: z
    .array(line(160))
    .max(101)
    .optional()
    .meta({ description: 'Names of those to send along. Default: what the customer usually gets.' }),
}

const SENDING_ERRORS = [
  'not_found',
  'validation_failed',
  'mail_not_issued',
  'before_these_books',
  'mail_not_configured',
  'mail_test_recipient',
  'mail_too_large',
  'format_unavailable',
  'invoice_settled',
  'invoice_not_late',
] as const

export const sendMailContract = defineContract({
  name: 'mail.send',
  summary: 'Send a mail about a document. It waits in a queue until the server takes it.',
  access: 'person',
  effect: 'write',
  input: z.strictObject(mailFields),
  output: Mail,
  errors: SENDING_ERRORS,
})

export const mailFileContract = defineContract({
  name: 'mail.file',
  summary: 'The mail as a file for the mail program of the computer, and a note that it was handed over.',
  access: 'person',
  effect: 'write',
  input: z.strictObject(mailFields),
  output: BytesAnswer,
  media: 'message/rfc822',
  errors: SENDING_ERRORS,
})

export const sendManyMailsContract = defineContract({
  name: 'mail.sendMany',
  summary: 'Send several invoices, each to its own customer with the usual words.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ ids: z.array(PathId).min(1).max(50) }),
  output: z.strictObject({
    queued: z.array(z.strictObject({ id: z.string(), invoiceId: z.string(), to: z.array(z.string()) })),
    refused: z.array(
      z.strictObject({
        invoiceId: z.string(),
        code: z.string().meta({ description: 'A code of the catalogue, or mail_no_address.' }),
        message: z.string(),
        why: z.string().optional().meta({ description: 'Of format_unavailable: its reason.' }),
      }),
    ),
  }),
  errors: ['mail_not_configured'],
})

export const listMailsContract = defineContract({
  name: 'mail.list',
  summary: 'A stretch of the list of mails by position, newest first.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({
    open: z
      .boolean()
      .optional()
      .meta({ description: 'Only those that wait, failed or are of unknown outcome.' }),
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(1).max(200).optional(),
  }),
  output: z.strictObject({
    items: z.array(Mail),
    count: z.int().meta({ description: 'How many mails there are, or how many of them are open.' }),
    counts: z.strictObject({ waiting: z.int(), failed: z.int(), unknown: z.int() }),
  }),
  errors: [],
})

export const resolveMailContract = defineContract({
  name: 'mail.resolve',
  summary:
    'Decide on a mail that failed, waits, or may have arrived: send it again, take it for delivered, or let it be.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId, decision: z.enum(['again', 'delivered', 'discard']) }),
  output: Mail,
  errors: ['not_found', 'mail_not_open', 'mail_not_configured', 'mail_test_recipient'],
})

export const invoiceMailsContract = defineContract({
  name: 'mail.ofInvoice',
  summary: 'The mails about one invoice, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/mails' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ items: z.array(Mail) }),
  errors: ['not_found', 'invoice_number_ambiguous'],
})

export const quoteMailsContract = defineContract({
  name: 'mail.ofQuote',
  summary: 'The mails about one quote, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/quotes/:id/mails' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ items: z.array(Mail) }),
  errors: ['not_found'],
})
