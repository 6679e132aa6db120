/** The event types that Sello emits, and the operations that read events. */
import { z } from 'zod'
import { defineContract, EVENT_STREAM } from '../../domain/contract/define-contract.ts'
import { businessDate, Instant, PathId, StreamAnswer } from '../../domain/contract/fields.ts'
import type { EventType } from './types.ts'

interface EventSpec {
  /** Condition under which it is emitted, for developers. */
  summary: string
  /** Identifiers and states, never content: receivers look up the object by its identifier. */
  data: z.ZodObject
  /** Example data; a test checks it against `data`. */
  example: Record<string, string | number | null>
  /** A progress event of running work, for live listeners: not sent to webhooks. */
  isStep?: true
}

const of = (what: string) => z.string().meta({ description: `Identifier of ${what}.` })
const invoiceId = of('the invoice')
const number = z.string().nullable().meta({ description: 'As printed.' })
const connectionId = of('the connection to the accounting system')
const runId = of('the reading')
const exchangeId = of('the followed invoice')
const lastDay = businessDate('Last day in Spain, YYYY-MM-DD.')
const INVOICE = 'inv_6tqy0v5cbn2k8w4e'

const invoice = { data: z.strictObject({ invoiceId }), example: { invoiceId: INVOICE } }
const numbered = {
  data: z.strictObject({ invoiceId, number }),
  example: { invoiceId: INVOICE, number: 'F2026-0001' },
}
const settled = {
  data: z.strictObject({
    invoiceId,
    number,
    recordId: of('the record'),
    record: z.enum(['registration', 'cancellation']),
    authorityCode: z.string().nullable().meta({ description: "The authority's own code, if it gave one." }),
  }),
  example: {
    invoiceId: INVOICE,
    number: 'F2026-0001',
    recordId: 'rec_12',
    record: 'registration',
    authorityCode: null,
  },
}
/** Requires exactly one identifier, by the kind of object; null if many may have changed. */
function oneOf<const Ids extends Record<string, string>>(
  example: { [Name in keyof Ids]?: string },
  ids: Ids,
) {
  const shape = Object.fromEntries(Object.entries(ids).map(([name, what]) => [name, of(what).optional()]))
  return {
    data: z.strictObject(shape as Record<keyof Ids, z.ZodOptional<z.ZodString>>),
    example: example as Record<string, string>,
  }
}
const IMPORT = 'the import, where one changed many'

/** Event types by name. Fields are only ever added. */
export const EVENTS = {
  'invoice.drafted': { summary: 'A draft was made, or brought back after its deletion.', ...invoice },
  'invoice.changed': { summary: 'A draft changed, or what is owed of an issued invoice.', ...invoice },
  'invoice.deleted': { summary: 'A draft was deleted.', ...invoice },
  'invoice.issued': {
    summary: 'An invoice has its number and its record, for good. Its record goes to the tax authority next.',
    ...numbered,
  },
  'invoice.cancelled': {
    summary: 'The annulment of an issued invoice was recorded. It goes to the tax authority next.',
    ...numbered,
  },
  'invoice.amended': {
    summary: 'The record of an issued invoice was put right by a further one.',
    ...numbered,
  },
  'registry.accepted': { summary: 'The tax authority accepted a record.', ...settled },
  'registry.accepted_with_errors': {
    summary: 'The tax authority accepted a record and remarked on it: it should be amended.',
    ...settled,
  },
  'registry.rejected': {
    summary: 'The tax authority refused a record. What to do stands in GET /registry/status under attention.',
    ...settled,
  },
  'registry.conflict': {
    summary:
      'The tax authority holds another record under this number. Nothing is issued until a person looks.',
    ...settled,
  },
  'registry.stopped': {
    summary: 'The tax authority refuses every message: sending waits for a person.',
    data: z.strictObject({ authorityCode: z.string() }),
    example: { authorityCode: '4104' },
  },
  'registry.changed': {
    summary: 'How records are sent changed: the queue, the clock, the environment or the installation.',
    data: z.strictObject({
      invoiceId: invoiceId.optional(),
      recordId: of('the record').optional(),
      environment: z.string().optional(),
      installation: z.string().optional(),
      findings: z.int().optional().meta({ description: 'Records the authority holds that are not here.' }),
      held: z.string().optional().meta({ description: 'Why nothing can be issued.' }),
      skewSeconds: z.number().optional().meta({ description: "How far this computer's clock is off." }),
    }),
    example: { environment: 'production' },
  },
  'certificate.changed': {
    summary: 'The certificate was imported, replaced or removed.',
    data: z.strictObject({ certificateId: of('the certificate') }),
    example: { certificateId: 'cert_6tqy0v5cbn2k8w4e' },
  },
  'certificate.expiring': {
    summary: 'The certificate ends soon: told once each at 30, 15, 7 and 1 days left.',
    data: z.strictObject({
      daysLeft: z.int().min(0).meta({ description: 'Days until its last one; 0 on that day.' }),
      expiresOn: lastDay,
    }),
    example: { daysLeft: 30, expiresOn: '2026-12-22' },
  },
  'certificate.expired': {
    summary: 'The certificate has ended: what needs it waits for the next one. Told once.',
    data: z.strictObject({ expiresOn: lastDay }),
    example: { expiresOn: '2026-12-22' },
  },
  'document.ready': { summary: "An issued invoice's PDF is made and kept.", ...invoice },
  'approval.requested': {
    summary: 'A key asks a person to approve a step that cannot be undone, in a live book.',
    data: z.strictObject({
      approvalId: of('the request'),
      invoiceId,
      step: z.enum(['issue', 'cancel', 'amend']),
    }),
    example: { approvalId: 'apr_6tqy0v5cbn2k8w4e', invoiceId: INVOICE, step: 'issue' },
  },
  'approval.decided': {
    summary:
      'A person approved a step, which was taken with it, or refused it; or the draft was changed, so that there is nothing to approve any more.',
    data: z.strictObject({
      approvalId: of('the request'),
      invoiceId,
      decision: z.enum(['approved', 'denied', 'withdrawn']),
    }),
    example: { approvalId: 'apr_6tqy0v5cbn2k8w4e', invoiceId: INVOICE, decision: 'approved' },
  },
  'proposal.created': {
    summary: 'An assistant proposed something. A person decides in the app.',
    data: z.strictObject({ proposalId: of('the proposal') }),
    example: { proposalId: 'prop_6tqy0v5cbn2k8w4e' },
  },
  'proposal.decided': {
    summary: 'A person accepted or rejected a proposal, or its ground is gone.',
    data: z.strictObject({ proposalId: of('the proposal') }),
    example: { proposalId: 'prop_6tqy0v5cbn2k8w4e' },
  },
  'contact.changed': {
    summary: 'A contact was made, changed, merged or deleted.',
    data: z.strictObject({
      contactId: of('the contact').nullable().optional(),
      importId: of(IMPORT).optional(),
    }),
    example: { contactId: 'con_6tqy0v5cbn2k8w4e' },
  },
  'key.changed': {
    summary: 'An API key was made or revoked.',
    data: z.strictObject({ keyId: of('the key') }),
    example: { keyId: 'key_6tqy0v5cbn2k8w4e' },
  },
  'company.changed': {
    summary: 'The company, its design or one of its series changed.',
    ...oneOf({ seriesId: 'ser_6tqy0v5cbn2k8w4e' }, { companyId: 'the company', seriesId: 'the series' }),
  },
  'item.changed': {
    summary: 'A product or service was made, changed or deleted.',
    ...oneOf({ itemId: 'itm_6tqy0v5cbn2k8w4e' }, { itemId: 'the item', importId: IMPORT }),
  },
  'quote.changed': {
    summary: 'A quote was made, changed, decided or deleted.',
    ...oneOf({ quoteId: 'quo_6tqy0v5cbn2k8w4e' }, { quoteId: 'the quote' }),
  },
  'recurrence.changed': {
    summary: 'A recurring invoice or a template changed, or a recurring invoice was prepared.',
    ...oneOf(
      { recurrenceId: 'rec_6tqy0v5cbn2k8w4e', invoiceId: INVOICE },
      { recurrenceId: 'the recurrence', templateId: 'the template', invoiceId: 'the draft it made' },
    ),
  },
  'received.changed': {
    summary: 'A received invoice was entered, changed, paid or voided.',
    ...oneOf(
      { receivedId: 'rin_6tqy0v5cbn2k8w4e' },
      { receivedId: 'the received invoice', importId: IMPORT },
    ),
  },
  'payment.changed': {
    summary: 'A payment, a direct debit mandate, a remittance or the creditor changed.',
    ...oneOf(
      { paymentId: 'pay_6tqy0v5cbn2k8w4e' },
      {
        paymentId: 'the payment',
        remittanceId: 'the remittance',
        mandateId: 'the mandate',
        creditorId: 'the creditor, as the bank knows it',
      },
    ),
  },
  'bank.changed': {
    summary: 'A bank account, its transactions, their matches or a rule changed.',
    data: z.strictObject({
      accountId: of('the bank account').optional(),
      transactionId: of('the transaction').optional(),
      ruleId: of('the rule').optional(),
      importId: of(IMPORT).optional(),
      booked: z.int().optional().meta({ description: 'Transactions that a rule booked.' }),
    }),
    example: { transactionId: 'btx_6tqy0v5cbn2k8w4e' },
  },
  'ledger.changed': {
    summary: 'An entry, an account, a year or the lock of the ledger changed.',
    data: z.strictObject({
      entryId: of('the entry').optional(),
      account: z.string().optional().meta({ description: 'Number of the account.' }),
      year: z.int().optional(),
      lockedUntil: businessDate().nullable().optional(),
    }),
    example: { entryId: 'ent_6tqy0v5cbn2k8w4e' },
  },
  'asset.changed': {
    summary: 'A fixed asset, its depreciation or a final percentage of deduction changed.',
    data: z.strictObject({
      assetId: of('the fixed asset').optional(),
      year: z.int().optional(),
    }),
    example: { assetId: 'ast_6tqy0v5cbn2k8w4e' },
  },
  'filing.changed': {
    summary: 'A tax return was marked as filed or is open again, or what goes into it changed.',
    data: z.strictObject({
      model: z.string().nullable(),
      year: z.int().optional(),
      period: z.string().optional(),
    }),
    example: { model: '303', year: 2026, period: '3T' },
  },
  'return.filed': {
    summary: 'The tax agency has accepted a return: it is filed, with its receipt.',
    data: z.strictObject({
      model: z.string(),
      year: z.int(),
      period: z.string(),
      filingId: of('the filing'),
      sendingId: of('the sending, by which the receipt is read'),
    }),
    example: {
      model: '303',
      year: 2026,
      period: '3T',
      filingId: 'fil_6tqy0v5cbn2k8w4e',
      sendingId: 'fsn_6tqy0v5cbn2k8w4e',
    },
  },
  'filing.due_soon': {
    summary:
      'The last day of a return that must be filed and is not marked as filed comes near: told once each at 7 days and 1 day left, and for its direct debit at 2.',
    data: z.strictObject({
      model: z.string(),
      year: z.int(),
      period: z.string(),
      of: z.enum(['term', 'direct_debit']),
      day: lastDay,
      daysLeft: z.int().min(0).meta({ description: 'Days until it; 0 on that day.' }),
    }),
    example: { model: '303', year: 2026, period: '3T', of: 'term', day: '2026-10-20', daysLeft: 7 },
  },
  'exchange.changed': {
    summary: 'A followed electronic invoice changed, or how they are exchanged.',
    data: z.strictObject({ documentId: exchangeId.optional() }),
    example: { documentId: 'exd_6tqy0v5cbn2k8w4e' },
  },
  'exchange.admitted': {
    summary: 'The public platform took an issued invoice.',
    data: z.strictObject({ documentId: exchangeId, invoiceId: invoiceId.nullable() }),
    example: { documentId: 'exd_6tqy0v5cbn2k8w4e', invoiceId: INVOICE },
  },
  'exchange.refused': {
    summary: 'The public platform refused an issued invoice: it should be corrected and sent again.',
    data: z.strictObject({ documentId: exchangeId, invoiceId: invoiceId.nullable(), code: z.string() }),
    example: { documentId: 'exd_6tqy0v5cbn2k8w4e', invoiceId: INVOICE, code: 'SPFE-GEN-45' },
  },
  'exchange.arrived': {
    summary: 'An invoice of a supplier arrived by the public platform.',
    data: z.strictObject({ documentId: exchangeId }),
    example: { documentId: 'exd_6tqy0v5cbn2k8w4e' },
  },
  'exchange.partner_said': {
    summary: 'The other party said something of an invoice: rejected, paid, or took it back.',
    data: z.strictObject({ documentId: exchangeId, kind: z.string() }),
    example: { documentId: 'exd_6tqy0v5cbn2k8w4e', kind: 'rejected' },
  },
  'exchange.reported': {
    summary: 'The public platform took a report about an invoice.',
    data: z.strictObject({ documentId: exchangeId, reportId: of('the report') }),
    example: { documentId: 'exd_6tqy0v5cbn2k8w4e', reportId: 'exr_6tqy0v5cbn2k8w4e' },
  },
  'exchange.report_refused': {
    summary: 'The public platform refused a report about an invoice.',
    data: z.strictObject({ documentId: exchangeId, reportId: of('the report'), code: z.string() }),
    example: { documentId: 'exd_6tqy0v5cbn2k8w4e', reportId: 'exr_6tqy0v5cbn2k8w4e', code: 'SPFE-GEN-45' },
  },
  'exchange.due_soon': {
    summary:
      'The last day of a report comes near, or is over: told once each at 2, 1 and 0 counted days left, and after it.',
    data: z.strictObject({
      documentId: exchangeId,
      reportId: of('the report'),
      kind: z.string(),
      lastDay,
      daysLeft: z.int().min(-1).meta({ description: 'Counted days; -1 after the last one.' }),
    }),
    example: {
      documentId: 'exd_6tqy0v5cbn2k8w4e',
      reportId: 'exr_6tqy0v5cbn2k8w4e',
      kind: 'paid',
      lastDay: '2027-10-14',
      daysLeft: 1,
    },
  },
  'import.changed': {
    summary: 'An import was uploaded, applied, undone or discarded.',
    ...oneOf({ importId: 'imp_6tqy0v5cbn2k8w4e' }, { importId: 'the import' }),
  },
  'moving.changed': {
    summary: 'A move from an earlier program was begun, applied, undone or discarded.',
    ...oneOf({ moveId: 'mov_6tqy0v5cbn2k8w4e' }, { moveId: 'the move' }),
  },
  'mail.changed': {
    summary: 'A mail was queued, sent or failed, or the settings of mails changed.',
    ...oneOf(
      { mailId: 'mai_6tqy0v5cbn2k8w4e', invoiceId: INVOICE },
      { mailId: 'the mail', invoiceId: 'the invoice it is about', quoteId: 'the quote it is about' },
    ),
  },
  'reply.taken': {
    summary: 'A customer answered an invoice with its reply page, and the answer was taken in.',
    data: z.strictObject({
      invoiceId,
      replyId: of('the answer'),
      kind: z.enum(['received', 'accepted', 'rejected', 'will_pay']),
    }),
    example: { invoiceId: INVOICE, replyId: 'rpa_6tqy0v5cbn2k8w4e', kind: 'accepted' },
  },
  'erp.connected': {
    summary: 'An accounting system was connected.',
    data: z.strictObject({ connectionId, provider: z.string() }),
    example: { connectionId: 'erp_6tqy0v5cbn2k8w4e', provider: 'holded' },
  },
  'erp.disconnected': {
    summary: 'The accounting system was disconnected. What was read stays.',
    data: z.strictObject({ connectionId, provider: z.string() }),
    example: { connectionId: 'erp_6tqy0v5cbn2k8w4e', provider: 'holded' },
  },
  'erp.needs_reconnection': {
    summary: 'The accounting system refused its key: nothing is asked until a new one is connected.',
    data: z.strictObject({ connectionId }),
    example: { connectionId: 'erp_6tqy0v5cbn2k8w4e' },
  },
  'erp.changed': {
    summary: 'What was read from the accounting system changed here: links, copies, settings.',
    ...oneOf(
      { connectionId: 'erp_6tqy0v5cbn2k8w4e' },
      { connectionId: 'the connection to the accounting system' },
    ),
  },
  'erp.sync_started': {
    summary: 'A reading of the accounting system began.',
    data: z.strictObject({ runId, connectionId }),
    example: { runId: 'run_6tqy0v5cbn2k8w4e', connectionId: 'erp_6tqy0v5cbn2k8w4e' },
  },
  'erp.sync_progress': {
    summary: 'A page was read.',
    isStep: true,
    data: z.strictObject({ runId, resource: z.string(), pages: z.int(), fetched: z.int() }),
    example: { runId: 'run_6tqy0v5cbn2k8w4e', resource: 'issued', pages: 3, fetched: 300 },
  },
  'erp.sync_finished': {
    summary: 'A reading of the accounting system ended.',
    data: z.strictObject({
      runId,
      connectionId,
      state: z.string().meta({ description: 'completed, partial, failed or cancelled.' }),
      code: z.string().nullable().meta({ description: 'Of the error catalogue, where it failed.' }),
    }),
    example: {
      runId: 'run_6tqy0v5cbn2k8w4e',
      connectionId: 'erp_6tqy0v5cbn2k8w4e',
      state: 'completed',
      code: null,
    },
  },
  'backup.failed': {
    summary:
      'A backup could not be made, or one that was tried does not hold. Told once for each reason, until one is made again.',
    data: z.strictObject({
      reason: z.string().meta({ description: 'Such as no_space, folder_missing or differs.' }),
    }),
    example: { reason: 'no_space' },
  },
  'backup.recovered': {
    summary: 'A backup was made again after one had failed.',
    data: z.strictObject({}),
    example: {},
  },
  'webhook.changed': {
    summary: 'A webhook was made, changed or deleted.',
    data: z.strictObject({ webhookId: of('the webhook') }),
    example: { webhookId: 'whk_6tqy0v5cbn2k8w4e' },
  },
  'webhook.disabled': {
    summary: 'A webhook was switched off by Sello: its receiver is gone, or has failed for 5 days.',
    data: z.strictObject({
      webhookId: of('the webhook'),
      reason: z.enum(['gone', 'failing']).meta({ description: 'Why: `gone` is the answer 410.' }),
    }),
    example: { webhookId: 'whk_6tqy0v5cbn2k8w4e', reason: 'failing' },
  },
  'portal.changed': {
    summary: 'A submission to the portal of public bodies changed, or its settings.',
    data: z.strictObject({
      submissionId: of('the submission').optional(),
      invoiceId: invoiceId.optional(),
    }),
    example: { submissionId: 'psb_6tqy0v5cbn2k8w4e', invoiceId: INVOICE },
  },
  'portal.state_changed': {
    summary: 'The portal registered or refused an invoice, or the public body moved it to another state.',
    data: z.strictObject({
      submissionId: of('the submission'),
      invoiceId,
      state: z.enum(['registered', 'refused', 'unknown', 'processing', 'cancellation']),
      code: z.string().nullable().meta({ description: "The portal's own code, if there is one." }),
    }),
    example: {
      submissionId: 'psb_6tqy0v5cbn2k8w4e',
      invoiceId: INVOICE,
      state: 'processing',
      code: '2500',
    },
  },
  'incoming.changed': {
    summary: 'A document of a supplier came in, was read, entered, rejected, split or joined.',
    data: z.strictObject({
      documentId: of('the incoming document'),
      state: z.string().meta({ description: 'Its state, as of GET /incoming-documents.' }),
    }),
    example: { documentId: 'idc_6tqy0v5cbn2k8w4e', state: 'ready' },
  },
  'incoming.progress': {
    summary: 'A page of an incoming document was read.',
    isStep: true,
    data: z.strictObject({
      documentId: of('the incoming document'),
      pagesRead: z.int(),
      pages: z.int().nullable().meta({ description: 'Null while it is not known.' }),
    }),
    example: { documentId: 'idc_6tqy0v5cbn2k8w4e', pagesRead: 1, pages: 3 },
  },
  'incoming.source_changed': {
    summary: 'A folder or mailbox that documents come from was set up, changed, or failed.',
    data: z.strictObject({ sourceId: of('the source'), state: z.string() }),
    example: { sourceId: 'isr_6tqy0v5cbn2k8w4e', state: 'active' },
  },
  'people.changed': {
    summary: 'Somebody joined or left the company, was invited to it, or has other roles.',
    data: z.strictObject({ personId: of('the person').optional() }),
    example: { personId: 'per_6tqy0v5cbn2k8w4e' },
  },
  'people.step_asked': {
    summary: 'A step waits for a second person.',
    data: z.strictObject({ requestId: of('the request') }),
    example: { requestId: 'spr_6tqy0v5cbn2k8w4e' },
  },
  'people.step_decided': {
    summary: 'A second person has confirmed or refused a step, or it was withdrawn.',
    data: z.strictObject({
      requestId: of('the request'),
      decision: z.enum(['approved', 'denied', 'withdrawn']),
    }),
    example: { requestId: 'spr_6tqy0v5cbn2k8w4e', decision: 'approved' },
  },
  'note.changed': {
    summary: 'A note on a record was written, changed or removed.',
    data: z.strictObject({ noteId: of('the note') }),
    example: { noteId: 'note_6tqy0v5cbn2k8w4e' },
  },
  'task.changed': {
    summary: 'A task was created, changed, completed, reopened or removed.',
    data: z.strictObject({ taskId: of('the task') }),
    example: { taskId: 'tsk_6tqy0v5cbn2k8w4e' },
  },
} as const satisfies Record<EventType, EventSpec>

export type EventData<Type extends EventType> = z.infer<(typeof EVENTS)[Type]['data']>

export const EventView = z
  .strictObject({
    id: z
      .string()
      .meta({ description: 'In the order in which it happened; the same for ever and everywhere.' }),
    type: z.string().meta({ description: 'One of the types of the events page. New ones are added.' }),
    createdAt: Instant,
    mode: z.enum(['live', 'test']),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'By type; fields are added, never removed.' }),
    actor: z
      .strictObject({ kind: z.enum(['user', 'key', 'system']), id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Who did it; null for events of earlier versions.' }),
  })
  .meta({ id: 'Event', description: 'Something that happened, by its identifiers.' })
export type EventView = z.infer<typeof EventView>

const types = z
  .string()
  .max(2_000)
  .optional()
  .meta({ description: 'Only these types or families, with commas between: invoice.issued,registry.*' })

export const listEventsContract = defineContract({
  name: 'events.list',
  summary: 'What happened, newest first, or from one event on.',
  description:
    'With `after` the order is that in which it happened, so that a program that was away can catch up: ask again with the last `id` it saw until `items` is empty.',
  access: 'webhooks.read',
  effect: 'read',
  rest: { method: 'GET', path: '/events' },
  input: z.strictObject({
    types,
    after: PathId.optional().meta({
      description: 'Identifier of an event: what came after it, oldest first.',
    }),
    from: businessDate('First day in Spain, YYYY-MM-DD.').optional(),
    to: businessDate('Last day in Spain, YYYY-MM-DD.').optional(),
    limit: z.int().min(1).max(100).optional().meta({ description: '25 when not said.' }),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(EventView), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const streamEventsContract = defineContract({
  name: 'events.stream',
  summary: 'What happens, as it happens (server-sent events).',
  description:
    'Each message has `id`, `event` (the type) and `data` (the event as JSON). After a break go on with `Last-Event-ID`: nothing is left out. A comment comes every 15 seconds. The stream ends when the key is revoked.',
  access: 'webhooks.read',
  effect: 'read',
  rest: { method: 'GET', path: '/events/stream', headers: { lastEventId: 'last-event-id' } },
  media: EVENT_STREAM,
  input: z.strictObject({
    types,
    lastEventId: PathId.optional().meta({
      description: 'The last event that was seen; from now on when not said.',
    }),
  }),
  output: StreamAnswer,
  errors: ['validation_failed', 'rate_limited'],
})
