/** Contracts of the exchange of structured invoices between businesses by the public platform, and of their statuses. */
import { z } from 'zod'
import { fileFields, FILE_BODY_MIB } from '../../platform/attachments/contract.ts'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, BytesAnswer, Instant, line, PathId } from '../../domain/contract/fields.ts'
import { DUTY_IDS } from './law/duties.ts'

const Direction = z.enum(['issued', 'received'])

export const ExchangeState = z
  .enum([
    'not_due',
    'to_send',
    'sent_unknown',
    'admitted',
    'refused',
    'withdrawn',
    'open',
    'rejected',
    'paid',
    'paid_on_the_invoice',
  ])
  .meta({
    description:
      'Issued: not_due (`why` says so), to_send, sent_unknown (on its way, or its answer was lost), admitted, refused, withdrawn. Received: open, rejected, paid, paid_on_the_invoice, withdrawn by its issuer.',
  })

const Said = z.enum(['rejected', 'paid', 'settled', 'defaulted']).nullable()

/** What this side can say; the cancellation of each belongs to `exchange.cancelReport`. */
const ReportKind = z.enum(['rejected', 'paid', 'settled', 'defaulted']).meta({
  description: 'Of a received invoice: rejected, paid. Of an issued one: settled (collected), defaulted.',
})
export const AnyReportKind = z.enum([
  ...ReportKind.options,
  'rejection_cancelled',
  'payment_cancelled',
  'settlement_cancelled',
  'default_cancelled',
  'withdrawn',
])

const Reason = z.enum(['commercial', 'private']).meta({
  description: 'Of a rejection: commercial, or private consumption and not used for the business.',
})

const Code = {
  issuerNif: z.string(),
  number: z.string(),
  issueDate: businessDate(),
}

export const ExchangeReport = z
  .strictObject({
    id: z.string(),
    kind: AnyReportKind,
    day: businessDate('Effective day.'),
    dueDate: businessDate('End of the payment term.').nullable(),
    reason: z.string().nullable(),
    note: z.string().nullable(),
    byMachine: z.boolean().meta({ description: 'A payment made it.' }),
    askedBy: z.string(),
    state: z.enum(['to_send', 'unknown', 'admitted', 'refused', 'dropped']).meta({
      description: 'unknown: on its way, or its answer was lost. dropped: taken back before it left.',
    }),
    lastDay: businessDate('Last day to report it, without the holidays that any region keeps.').nullable(),
    lastDayOfTen: businessDate('The same with 6 January as a holiday.').nullable(),
    isLate: z.boolean(),
    code: z.string().nullable().meta({ description: 'Code of the platform, or of the reason here.' }),
    detail: z.string().nullable(),
    csv: z.string().nullable(),
    createdAt: Instant,
    sentAt: Instant.nullable(),
    settledAt: Instant.nullable(),
  })
  .meta({ id: 'ExchangeReport' })
export type ExchangeReport = z.infer<typeof ExchangeReport>

const summaryFields = {
  id: z.string(),
  direction: Direction,
  state: ExchangeState,
  why: z.string().nullable().meta({ description: 'Code of the reason.' }),
  ...Code,
  partnerNif: z.string().nullable(),
  partnerName: z.string().nullable(),
  total: z.number().nullable().meta({ description: 'In euros.' }),
  isCopy: z.boolean().meta({ description: 'A faithful copy of an invoice that went another way.' }),
  invoiceId: z.string().nullable(),
  receivedId: z.string().nullable(),
  incomingId: z.string().nullable(),
  partnerSaid: Said.meta({ description: 'What the other side says now.' }),
  partnerDay: businessDate().nullable(),
  said: Said.meta({ description: 'What this side has said.' }),
  saidDay: businessDate().nullable(),
  lastDay: businessDate('The first last day among the reports that have not been admitted.').nullable(),
  isLate: z.boolean(),
  createdAt: Instant,
  changedAt: Instant,
}

export const ExchangeSummary = z.strictObject(summaryFields).meta({ id: 'ExchangeDocumentSummary' })
export type ExchangeSummary = z.infer<typeof ExchangeSummary>

const Fact = z
  .strictObject({
    at: Instant,
    fact: z.string().meta({ description: 'Code, such as `sent`, `admitted` or `partner_paid`.' }),
    day: businessDate().nullable(),
    reportId: z.string().nullable(),
    messageId: z.string().nullable(),
    code: z.string().nullable(),
    note: z.string().nullable(),
    actor: z.string(),
  })
  .meta({ id: 'ExchangeFact' })

export const ExchangeDocument = z
  .strictObject({
    ...summaryFields,
    csv: z.string().nullable().meta({ description: 'Secure code of the receipt.' }),
    locator: z.string().nullable().meta({ description: 'Key of the invoice at the platform.' }),
    hasFile: z.boolean().meta({ description: 'Its exact bytes are stored.' }),
    reports: z.array(ExchangeReport),
    facts: z.array(Fact).meta({ description: 'How it came to be, oldest first.' }),
    mayReport: z.array(ReportKind).meta({ description: 'What can be said of it now.' }),
    mayWithdraw: z.boolean(),
    maySend: z.boolean().meta({ description: 'Sending it again, or for the first time, can be asked for.' }),
  })
  .meta({ id: 'ExchangeDocument' })
export type ExchangeDocument = z.infer<typeof ExchangeDocument>

const Representation = z.enum(['attorney', 'collaborator', 'legal']).meta({
  description: 'attorney (apoderado), collaborator (colaborador social) or legal representative.',
})
const Turnover = z.enum(['above', 'up_to']).meta({ description: 'Above 8,000,000 euros, or up to them.' })
const PersonKind = z.enum(['natural', 'attribution', 'company']).meta({
  description: 'Natural person, entity in income attribution, company.',
})
const Channel = z.enum(['platform', 'copy', 'other', 'none']).meta({
  description:
    'platform: the public platform, which needs no agreement; copy: a private platform, and Sello sends the copy to the public one; other: a private platform that sends the copy itself; none: not this way.',
})

export const ExchangeSettings = z
  .strictObject({
    sending: z.boolean().meta({ description: 'Invoices and statuses leave by themselves.' }),
    sendingSince: Instant.nullable(),
    sendingBy: z.string().nullable(),
    followedFrom: businessDate('First day of issue of the invoices that are followed.').nullable(),
    turnover: Turnover.nullable().meta({ description: 'As stated; null: from the books.' }),
    turnoverYear: z.int().nullable(),
    turnoverOfBooks: z.number().nullable().meta({
      description:
        'Turnover of the last calendar year in the books, in euros; null: they do not hold the year.',
    }),
    personKind: PersonKind.nullable().meta({ description: 'As stated; null: from the tax number.' }),
    personKindOfNumber: PersonKind,
    reportCollections: z.boolean().meta({ description: 'Collections are reported too, which is voluntary.' }),
    representation: z
      .strictObject({ as: Representation, nif: z.string(), name: z.string(), since: Instant, by: z.string() })
      .nullable(),
    certificateHolder: z
      .strictObject({ nif: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Holder of the certificate, if it is another than the company.' }),
    mayBeOn: z.boolean().meta({ description: 'False while an assumption keeps the real platform closed.' }),
    version: z.int(),
  })
  .meta({ id: 'ExchangeSettings' })
export type ExchangeSettings = z.infer<typeof ExchangeSettings>

export const exchangeSettingsContract = defineContract({
  name: 'exchange.settings',
  summary: 'How the book uses the public platform for invoices between businesses.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/settings' },
  input: z.strictObject({}),
  output: ExchangeSettings,
  errors: [],
})

export const setExchangeSettingsContract = defineContract({
  name: 'exchange.setSettings',
  summary: 'Changes how the book uses the public platform; turns sending on or off.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    sending: z.boolean().optional(),
    turnover: Turnover.nullable().optional(),
    personKind: PersonKind.nullable().optional(),
    reportCollections: z.boolean().optional(),
    representation: z
      .strictObject({ as: Representation, nif: line(20) })
      .nullable()
      .optional()
      .meta({ description: 'States that the holder of the certificate may act; null withdraws it.' }),
    expectedVersion: z.int().optional(),
  }),
  output: ExchangeSettings,
  errors: ['validation_failed', 'version_conflict', 'exchange_live_closed'],
})

const InBoth = z.strictObject({ es: z.string(), en: z.string() })

const Assumption = z
  .strictObject({
    id: z.string(),
    topic: z.enum(['service', 'document', 'status', 'term', 'scope']),
    title: InBoth.meta({ description: 'In a few words.' }),
    assumed: InBoth.meta({ description: 'What Sello takes for true, and why it is not certain.' }),
    source: InBoth.meta({ description: 'Who says what.' }),
    grade: z.enum(['official', 'one_reader', 'inferred', 'none']),
    blocks: z.enum(['live', 'rendering', 'nothing']).meta({
      description: 'live: nothing is sent to the real platform; rendering: some invoices have no document.',
    }),
    since: businessDate('Day of the newest source that was read.'),
  })
  .meta({ id: 'ExchangeAssumption' })

export const exchangeAssumptionsContract = defineContract({
  name: 'exchange.assumptions',
  summary: 'What is not published about the platform, what Sello assumes, and what keeps it closed.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/assumptions' },
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Assumption), liveIsClosed: z.boolean() }),
  errors: [],
})

export const exchangeReadinessContract = defineContract({
  name: 'exchange.readiness',
  summary: 'What the law asks of this business and when, with what it lacks.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/readiness' },
  input: z.strictObject({}),
  output: z
    .strictObject({
      today: businessDate(),
      turnover: Turnover.nullable().meta({
        description: 'Class of the last calendar year; null: not known.',
      }),
      turnoverYear: z.int(),
      turnoverFrom: z.enum(['stated', 'books']).nullable(),
      personKind: PersonKind,
      duties: z.array(
        z.strictObject({
          id: z.enum(DUTY_IDS),
          from: businessDate(),
          to: businessDate().nullable(),
          what: z.enum(['information', 'issue', 'receive', 'statuses', 'readable_copy']),
          source: z.string(),
          grade: z.enum(['official', 'read', 'inferred']),
          binds: z.boolean().nullable().meta({ description: 'Null: depends on what is not known.' }),
          isNow: z.boolean().meta({ description: 'Its first day has come and its last day has not passed.' }),
          daysLeft: z.int().meta({ description: 'Until its first day; 0 from then on.' }),
          lacks: z.array(z.string()).meta({ description: 'Codes of what is missing here.' }),
        }),
      ),
      lacks: z.array(z.string()).meta({ description: 'Codes of all that is missing, each once.' }),
      mode: z.enum(['live', 'test']),
      sending: z.boolean(),
      liveIsClosed: z.boolean(),
    })
    .meta({ id: 'ExchangeReadiness' }),
  errors: [],
})

const listFilter = {
  direction: Direction.optional(),
  state: ExchangeState.optional(),
  due: z.enum(['open', 'late']).optional().meta({
    description: 'Only those with a report that has not been admitted, or whose last day is over.',
  }),
  invoiceId: line(40).optional().meta({ description: 'Only that of an issued invoice.' }),
  receivedId: line(40).optional().meta({ description: 'Only that of a purchase.' }),
}
const Counts = z
  .record(z.string(), z.int())
  .meta({ description: 'Of each direction and state: `issued.admitted`.' })

export const listExchangeContract = defineContract({
  name: 'exchange.list',
  summary: 'Followed invoices, newest first, with the count of each state.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/documents' },
  input: z.strictObject({
    ...listFilter,
    limit: z.int().min(1).max(200).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    items: z.array(ExchangeSummary),
    nextCursor: z.string().nullable(),
    counts: Counts,
  }),
  errors: ['validation_failed'],
})

export const windowExchangeContract = defineContract({
  name: 'exchange.window',
  summary: 'A stretch of the followed invoices by position, with their number and the count of each state.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    ...listFilter,
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(0).max(500).optional(),
  }),
  output: z.strictObject({
    items: z.array(ExchangeSummary),
    offset: z.int(),
    count: z.int().meta({ description: 'Of all that match, not of the stretch.' }),
    counts: Counts,
  }),
  errors: ['validation_failed'],
})

export const exchangeDueContract = defineContract({
  name: 'exchange.due',
  summary: 'What awaits an answer: reports with their last day, received invoices without one, troubles.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/due' },
  input: z.strictObject({}),
  output: z.strictObject({
    today: businessDate(),
    reports: z.array(z.strictObject({ document: ExchangeSummary, report: ExchangeReport })).meta({
      description: 'Not admitted yet, the first last day first; at most 200.',
    }),
    open: z.array(ExchangeSummary).meta({
      description: 'Received invoices of which nothing was said, oldest first; at most 200.',
    }),
    troubles: z
      .array(ExchangeSummary)
      .meta({ description: 'Refused, or that cannot be written; at most 200.' }),
    counts: z
      .strictObject({
        reports: z.int().meta({ description: 'Reports with a last day.' }),
        open: z.int().meta({ description: 'Received invoices without an answer.' }),
        troubles: z.int().meta({ description: 'Refused, or that cannot be written.' }),
      })
      .meta({ description: 'Of each part, those beyond the first 200 included.' }),
    late: z.int().meta({ description: 'Of all reports.' }),
    dueSoon: z.int().meta({ description: 'Reports whose last day is at most two counted days away.' }),
    fault: z
      .strictObject({ code: z.string(), detail: z.string().nullable() })
      .nullable()
      .meta({ description: 'Why nothing leaves at the moment.' }),
    nextSendAt: Instant.nullable(),
    polledAt: Instant.nullable(),
  }),
  errors: [],
})

export const getExchangeContract = defineContract({
  name: 'exchange.get',
  summary: 'One followed invoice with its reports and how everything came to be.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/documents/:id' },
  input: z.strictObject({ id: PathId }),
  output: ExchangeDocument,
  errors: ['not_found'],
})

export const exchangeFileContract = defineContract({
  name: 'exchange.file',
  summary: 'The invoice as it was sent or received, byte for byte.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/documents/:id/file' },
  media: 'application/xml',
  storesContent: true,
  input: z.strictObject({ id: PathId }),
  output: BytesAnswer,
  errors: ['not_found'],
})

export const exchangeMessageContract = defineContract({
  name: 'exchange.message',
  summary: 'A message of statuses as it was sent, or what the platform answered to a message.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/messages/:id' },
  media: 'application/xml',
  storesContent: true,
  input: z.strictObject({ id: PathId, part: z.enum(['message', 'answer']).default('answer') }),
  output: BytesAnswer,
  errors: ['not_found'],
})

export const sendExchangeContract = defineContract({
  name: 'exchange.send',
  summary: 'Queues an issued invoice for the public platform, also one that was not due.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/exchange/invoices/:id/send' },
  input: z.strictObject({ id: PathId.meta({ description: 'Identifier or number of the invoice.' }) }),
  output: ExchangeDocument,
  errors: ['not_found', 'invoice_not_issued', 'before_these_books', 'exchange_off', 'exchange_not_possible'],
})

export const retryExchangeContract = defineContract({
  name: 'exchange.retry',
  summary: 'Tries a refused invoice or report again, or what waits, now.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/exchange/documents/:id/retry' },
  input: z.strictObject({ id: PathId }),
  output: ExchangeDocument,
  errors: ['not_found', 'exchange_off', 'exchange_not_possible'],
})

const Preview = z
  .strictObject({
    document: ExchangeSummary,
    kind: AnyReportKind,
    day: businessDate('Effective day.'),
    dueDate: businessDate('End of the payment term.').nullable(),
    reason: z.string().nullable(),
    note: z.string().nullable(),
    lastDay: businessDate('Last day to report it.').nullable(),
    warnings: z.array(z.string()).meta({ description: 'Codes of what a person should look at.' }),
    confirmationToken: z.string(),
    expiresAt: Instant,
  })
  .meta({ id: 'ExchangePreview' })
export type ExchangePreview = z.infer<typeof Preview>

export const prepareExchangeContract = defineContract({
  name: 'exchange.prepare',
  summary: 'Shows what a report, its cancellation or a withdrawal would say, with the token that allows it.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/exchange/documents/:id/prepare' },
  input: z.strictObject({
    id: PathId,
    kind: z.enum([...ReportKind.options, 'withdrawn', 'cancel']).meta({
      description: 'cancel: takes back what this side said of it last.',
    }),
    day: businessDate('Effective day; default today.').optional(),
    reason: Reason.optional(),
    note: line(500).optional(),
  }),
  output: Preview,
  errors: ['not_found', 'validation_failed', 'exchange_not_possible'],
})

const CONFIRMED = [
  'not_found',
  'confirmation_required',
  'confirmation_invalid',
  'confirmation_expired',
  'confirmation_stale',
  'confirmation_used',
  'exchange_not_possible',
  'step_for_the_owner',
] as const

const confirmed = z.strictObject({ id: PathId, confirmationToken: z.string().max(100).optional() })

export const reportExchangeContract = defineContract({
  name: 'exchange.report',
  summary: 'Says of an invoice what was prepared: rejected, paid, settled or defaulted.',
  access: 'invoices.issue',
  effect: 'irreversible',
  rest: { method: 'POST', path: '/exchange/documents/:id/report' },
  input: confirmed,
  output: ExchangeDocument,
  errors: CONFIRMED,
})

export const cancelReportContract = defineContract({
  name: 'exchange.cancelReport',
  summary: 'Takes back what this side said of an invoice last, as it was prepared.',
  access: 'invoices.issue',
  effect: 'irreversible',
  rest: { method: 'POST', path: '/exchange/documents/:id/cancel-report' },
  input: confirmed,
  output: ExchangeDocument,
  errors: CONFIRMED,
})

export const withdrawExchangeContract = defineContract({
  name: 'exchange.withdraw',
  summary: 'Withdraws an invoice whose operation never existed from the platform, as it was prepared.',
  access: 'invoices.issue',
  effect: 'irreversible',
  rest: { method: 'POST', path: '/exchange/documents/:id/withdraw' },
  input: confirmed,
  output: ExchangeDocument,
  errors: CONFIRMED,
})

export const pollExchangeContract = defineContract({
  name: 'exchange.poll',
  summary: 'Sends what waits and asks the platform now.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/exchange/poll' },
  input: z.strictObject({}),
  output: z.strictObject({
    waiting: z.int().meta({ description: 'Invoices and reports that have not been settled.' }),
  }),
  errors: ['exchange_off'],
})

export const exportStatusContract = defineContract({
  name: 'exchange.exportStatus',
  summary: 'The reports that wait as a message file, to hand over by another way.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/status-file' },
  media: 'application/xml',
  input: z.strictObject({
    role: z.enum(['issuer', 'recipient']),
    documentId: line(40).optional().meta({ description: 'Only those of one invoice.' }),
  }),
  output: BytesAnswer,
  errors: ['not_found'],
})

export const importFileContract = defineContract({
  name: 'exchange.importFile',
  summary: 'Takes in a file of the platform: an invoice, statuses of the other side, or an answer.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  storesContent: true,
  bodyMiB: FILE_BODY_MIB,
  rest: { method: 'POST', path: '/exchange/files' },
  input: z.strictObject(fileFields),
  output: z.strictObject({
    kind: z.enum(['invoice', 'statuses', 'answer']),
    documents: z.array(ExchangeSummary),
    incomingId: z.string().nullable(),
    unknown: z
      .array(z.strictObject(Code))
      .meta({ description: 'Invoices of the file that are not followed here.' }),
  }),
  errors: ['validation_failed', 'payload_too_large', 'attachment_type', 'exchange_file_unreadable'],
})

export const ExchangeContact = z
  .strictObject({
    contactId: z.string(),
    channel: Channel,
    platformName: z.string().nullable(),
    entryPoint: z.string().nullable(),
    agreedOn: businessDate().nullable(),
    acceptsOriginalOn: businessDate(
      'Day on which the customer accepted invoices without a readable copy.',
    ).nullable(),
    version: z.int().meta({ description: '0: nothing was set.' }),
  })
  .meta({ id: 'ExchangeContact' })
export type ExchangeContact = z.infer<typeof ExchangeContact>

export const exchangeContactContract = defineContract({
  name: 'exchange.contact',
  summary: 'How a customer receives electronic invoices.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exchange/contacts/:id' },
  input: z.strictObject({ id: PathId }),
  output: ExchangeContact,
  errors: ['not_found'],
})

export const setExchangeContactContract = defineContract({
  name: 'exchange.setContact',
  summary: 'Says how a customer receives electronic invoices, as was agreed.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/exchange/contacts/:id' },
  input: z.strictObject({
    id: PathId,
    channel: Channel.optional(),
    platformName: line(120).nullable().optional(),
    entryPoint: line(300).nullable().optional(),
    agreedOn: businessDate().nullable().optional(),
    acceptsOriginalOn: businessDate().nullable().optional(),
    expectedVersion: z.int().optional(),
  }),
  output: ExchangeContact,
  errors: ['not_found', 'validation_failed', 'version_conflict'],
})
