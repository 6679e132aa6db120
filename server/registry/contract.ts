/** Contracts of the registry: the state of the registrations, and the operations by which a person steers them. */
import { z } from 'zod'
import { defineContract } from '../domain/contract/define-contract.ts'
import { BytesAnswer, Instant, line, PathId, Untrusted } from '../domain/contract/fields.ts'
import { CertificateState, Environment } from '../company/contract.ts'

export const RecordStatus = z.enum([
  'pending',
  'sending',
  'accepted',
  'accepted_with_errors',
  'rejected',
  'unknown',
])
export type RecordStatus = z.infer<typeof RecordStatus>

/**
 * The single next step for a person: nothing, wait (Sello continues automatically), send now, correct the record,
 * annul the invoice, rectify it with another invoice, call the authority's support, renew or import the certificate,
 * set the clock, begin a new installation, or decide about a number that another program has registered.
 */
export const NextAction = z.enum([
  'none',
  'wait',
  'resend',
  'correct',
  'annul',
  'rectify',
  'call',
  'certificate',
  'clock',
  'installation',
  'decide',
])
export type NextAction = z.infer<typeof NextAction>

/** How an invoice stands at the registry, in one word. */
export const RegistryStatus = z.enum([
  'not_issued',
  'not_registered',
  'pending',
  'sending',
  'accepted',
  'accepted_with_errors',
  'rejected',
  'unknown',
  'cancelled',
])
export type RegistryStatus = z.infer<typeof RegistryStatus>

const RegistryError = z.strictObject({
  code: z.string(),
  authorityCode: z.string(),
  message: z.string(),
  fix: z.string(),
  action: NextAction,
})

/** How an invoice stands at the registry, as its answer shows it. */
export const RegistryDetail = z.strictObject({
  status: RegistryStatus,
  simulated: z.literal(true).optional(),
  recordId: z.string().optional(),
  hash: z.string().optional(),
  previousHash: z.string().optional().meta({ description: 'Absent for the first record of a chain.' }),
  qrUrl: z.string().optional(),
  identifier: z.string().optional(),
  csv: z.string().optional(),
  sentAt: Instant.optional(),
  answeredAt: Instant.optional(),
  errors: z.array(RegistryError),
  nextAttemptAt: Instant.optional(),
})
export type RegistryDetail = z.infer<typeof RegistryDetail>

const Attempt = z.strictObject({
  attempt: z.int(),
  kind: z
    .enum(['submission', 'query'])
    .meta({ description: 'The record itself, or a question whether it is held.' }),
  startedAt: Instant,
  finishedAt: Instant.optional(),
  outcome: z.enum([
    'running',
    'accepted',
    'accepted_with_errors',
    'rejected',
    'refused',
    'unknown',
    'not_delivered',
    'held',
    'not_held',
  ]),
  authorityCode: z.string().optional(),
  message: z.string().optional(),
})

export const RecordTurn = z.enum([
  'first',
  'correction',
  'correction_after_rejection',
  'unregistered',
  'after_rejection',
  'unregistered_after_rejection',
])

/** Change that an amendment makes to one fact of a record. */
export const FieldChange = z.strictObject({
  field: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
})

const Registration = z
  .strictObject({
    recordId: z.string(),
    kind: z.enum(['registration', 'cancellation']),
    turn: RecordTurn.meta({
      description:
        'Where the record stands among those of its invoice: the first, a correction, or after a rejection.',
    }),
    sequence: z.int(),
    status: RecordStatus,
    simulated: z.literal(true).optional(),
    generatedAt: Instant,
    hash: z.string(),
    previousHash: z.string().optional(),
    csv: z.string().optional(),
    csvLost: z.literal(true).optional().meta({
      description: 'It is registered, but the answer with its registration code was lost on the way.',
    }),
    conflict: z.literal(true).optional().meta({
      description: 'The authority holds other content under this number: another program used it.',
    }),
    held: z
      .strictObject({
        kind: z.string().nullable(),
        client: z.string().nullable(),
        total: z.string().nullable(),
        generatedAt: z.string().nullable(),
        installation: z.string().nullable(),
        state: z.enum(['active', 'cancelled']),
      })
      .optional()
      .meta({ description: 'With a conflict: what the authority holds instead.' }),
    closed: z
      .boolean()
      .meta({ description: 'A later record took its place, or a person has dealt with it.' }),
    authorityCode: z.string().optional(),
    message: z.string().optional(),
    meaning: z.string().optional().meta({
      description: "What the authority's code means, in our words: a theme such as client_not_in_census.",
    }),
    fix: z.string().optional(),
    action: NextAction,
    changes: z.array(FieldChange).optional(),
    nextAttemptAt: Instant.optional(),
    attempts: z.array(Attempt),
    xml: z.string(),
    untrusted: Untrusted,
  })
  .meta({ id: 'Registration' })

const Attention = z.strictObject({
  code: z.string(),
  invoiceId: z.string().optional(),
  number: z.string().optional(),
  recordId: z.string().optional(),
  message: z.string(),
  fix: z.string(),
  action: NextAction,
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  untrusted: Untrusted.optional(),
})

const RegistryState = z
  .strictObject({
    environment: Environment,
    simulated: z.boolean(),
    service: z.strictObject({
      status: z.enum(['up', 'degraded', 'down', 'unknown']),
      checkedAt: Instant.nullable(),
      detail: z.string().optional(),
    }),
    clock: z
      .strictObject({ skewSeconds: z.int(), checkedAt: Instant })
      .optional()
      .meta({ description: "This computer's clock minus the authority's, at the last answer." }),
    installation: z.string().meta({ description: 'NumeroInstalacion of the chain being written.' }),
    chain: z.strictObject({
      records: z.int(),
      head: z.string().nullable().meta({ description: 'Hash of the last record.' }),
      verifiedAt: Instant.nullable(),
      ok: z.boolean(),
      held: z
        .enum(['restored_copy'])
        .optional()
        .meta({ description: 'Why nothing can be issued until a person decides.' }),
    }),
    queue: z.strictObject({
      pending: z.int(),
      oldestPendingAt: Instant.optional(),
      nextAttemptAt: Instant.optional(),
      stopped: z.boolean().meta({ description: 'The authority suspended the sending; a person resumes it.' }),
    }),
    counts: z.strictObject({
      accepted: z.int(),
      acceptedWithErrors: z.int(),
      rejected: z.int(),
      unknown: z.int(),
    }),
    certificate: CertificateState,
    attention: z.array(Attention),
    registrations: z.array(Registration).optional().meta({ description: 'Of the invoice asked for.' }),
  })
  .meta({ id: 'RegistryState' })
export const registryStatusContract = defineContract({
  name: 'registry.status',
  summary:
    "Status of the registry service, the chain and the queue; with invoiceId, that invoice's registrations.",
  access: 'registry.read',
  effect: 'read',
  rest: { method: 'GET', path: '/registry/status' },
  tool: 'svc_get_registry_status',
  input: z.strictObject({ invoiceId: PathId.optional() }),
  output: RegistryState,
  errors: ['not_found'],
})

export const listRecordsContract = defineContract({
  name: 'registry.records',
  summary: 'The records of the chain, newest first.',
  access: 'registry.read',
  effect: 'read',
  input: z.strictObject({
    status: RecordStatus.optional(),
    attention: z.boolean().optional().meta({
      description: 'Only those that ask for something: rejected, with errors or unknown, and not closed.',
    }),
    before: z.int().optional().meta({ description: 'Records with a lower sequence than this.' }),
    limit: z.int().min(1).max(200).optional(),
  }),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        recordId: z.string(),
        sequence: z.int(),
        kind: z.enum(['registration', 'cancellation']),
        turn: RecordTurn,
        invoiceId: z.string(),
        number: z.string(),
        status: RecordStatus,
        generatedAt: Instant,
        answeredAt: Instant.nullable(),
        hash: z.string(),
        csv: z.string().nullable(),
        authorityCode: z.string().nullable(),
        message: z.string().nullable(),
        nextAttemptAt: Instant.nullable(),
        conflict: z.boolean(),
        closed: z.boolean(),
        action: NextAction,
      }),
    ),
    next: z.int().nullable(),
  }),
  errors: [],
})

export const verifyChainContract = defineContract({
  name: 'registry.verify',
  summary: 'Recompute the whole chain from its first record.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    ok: z.boolean(),
    records: z.int(),
    head: z.string().nullable(),
    verifiedAt: Instant,
    broken: z.strictObject({ sequence: z.int(), number: z.string(), why: z.string() }).optional(),
  }),
  errors: [],
})

export const sendNowContract = defineContract({
  name: 'registry.send',
  summary: 'Try the queue now instead of at its next time.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({}),
  output: z.strictObject({ pending: z.int() }),
  errors: [],
})

export const resumeSendingContract = defineContract({
  name: 'registry.resume',
  summary: 'Send again after the authority had suspended the sending.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({}),
  output: z.strictObject({ pending: z.int() }),
  errors: [],
})

export const closeRecordContract = defineContract({
  name: 'registry.close',
  summary: 'Mark a rejected, conflicting or faulty record as dealt with: it no longer asks for attention.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ recordId: z.string(), note: line(300).optional() }),
  output: z.strictObject({ closed: z.literal(true) }),
  errors: ['not_found', 'record_open'],
})

export const setEnvironmentContract = defineContract({
  name: 'registry.setEnvironment',
  summary: "Choose which of the authority's services the live book talks to; fixed by its first record.",
  access: 'person',
  effect: 'write',
  input: z.strictObject({ environment: z.enum(['production', 'preproduction']) }),
  output: z.strictObject({ environment: Environment }),
  errors: ['environment_fixed'],
})

export const newInstallationContract = defineContract({
  name: 'registry.newInstallation',
  summary:
    'Begin a new chain under a new installation number: after a restored copy, when the books moved to another computer, or when the clock was ahead.',
  description:
    'After a restored copy the authority is first asked what it holds, so that no number is given twice. What it holds and these books do not is listed.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    reason: z.enum(['restored_copy', 'moved', 'clock']).meta({
      description: '`clock`: the last record was made while the clock was ahead.',
    }),
    withoutAsking: z.boolean().optional().meta({
      description: 'Go on although the authority cannot be asked now; the person has checked the numbers.',
    }),
  }),
  output: z.strictObject({
    installation: z.string(),
    findings: z.array(
      z.strictObject({
        number: z.string(),
        issueDate: z.string(),
        total: z.string().nullable(),
        client: z.string().nullable(),
        state: z.string(),
      }),
    ),
    series: z.array(z.strictObject({ code: z.string(), nextNumber: z.int() })),
  }),
  errors: ['registry_unreachable', 'certificate_missing', 'registry_pending'],
})

export const acceptClockContract = defineContract({
  name: 'registry.acceptClock',
  summary:
    "Issue although this computer's clock differs from the authority's by minutes. It is noted in the history.",
  access: 'person',
  effect: 'write',
  input: z.strictObject({}),
  output: z.strictObject({ skewSeconds: z.int() }),
  errors: [],
})

export const exportRecordsContract = defineContract({
  name: 'registry.export',
  summary:
    "The book's records as XML, in messages of up to 1000 as the authority takes them, in one ZIP file.",
  access: 'person',
  effect: 'read',
  input: z.strictObject({ year: z.int().min(2024).max(2100).optional() }),
  output: BytesAnswer,
  media: 'application/zip',
  errors: ['nothing_to_export'],
})

export const declarationContract = defineContract({
  name: 'registry.declaration',
  summary: "The producer's declaration of conformity for this version of the program (RD 1007/2023 art. 13).",
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({
    title: z.string(),
    items: z.array(
      z.strictObject({
        letter: z.string(),
        label: z.string(),
        /** Null for a blank that the real producer has to fill. */
        value: z.string().nullable(),
      }),
    ),
    complete: z.boolean(),
    version: z.string(),
    build: z.string().nullable().meta({
      description:
        'SHA-256 of the list of files of the build that answers; null if the program runs from its sources.',
    }),
  }),
  errors: [],
})
