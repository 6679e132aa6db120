/** The state of the registrations as outsiders see it. */
import { z } from 'zod'
import { defineContract, Instant, PathId } from '../core/contract.ts'
import { CertificateState, Environment } from '../company/contract.ts'

export const RecordStatus = z.enum([
  'pending',
  'sending',
  'accepted',
  'accepted_with_errors',
  'rejected',
  'unknown',
  'cancelled',
])
export type RecordStatus = z.infer<typeof RecordStatus>

export const Attempt = z.strictObject({
  attempt: z.int(),
  startedAt: Instant,
  finishedAt: Instant.optional(),
  outcome: z.enum(['running', 'accepted', 'accepted_with_errors', 'rejected', 'unknown', 'not_delivered']),
  authorityCode: z.string().optional(),
  message: z.string().optional(),
})

export const Registration = z
  .strictObject({
    recordId: z.string(),
    kind: z.enum(['registration', 'cancellation']),
    sequence: z.int(),
    status: RecordStatus,
    simulated: z.literal(true).optional(),
    generatedAt: Instant,
    hash: z.string(),
    previousHash: z.string().optional(),
    csv: z.string().optional(),
    authorityCode: z.string().optional(),
    message: z.string().optional(),
    fix: z.string().optional(),
    nextAttemptAt: Instant.optional(),
    attempts: z.array(Attempt),
    xml: z.string(),
  })
  .meta({ id: 'Registration' })

export const RegistryState = z
  .strictObject({
    environment: Environment,
    simulated: z.boolean(),
    service: z.strictObject({
      status: z.enum(['up', 'degraded', 'down', 'unknown']),
      checkedAt: Instant.nullable(),
    }),
    chain: z.strictObject({
      records: z.int(),
      head: z.string().nullable().meta({ description: 'Hash of the last record.' }),
      verifiedAt: Instant.nullable(),
      ok: z.boolean(),
    }),
    queue: z.strictObject({
      pending: z.int(),
      oldestPendingAt: Instant.optional(),
      nextAttemptAt: Instant.optional(),
    }),
    counts: z.strictObject({
      accepted: z.int(),
      acceptedWithErrors: z.int(),
      rejected: z.int(),
      unknown: z.int(),
    }),
    certificate: CertificateState,
    attention: z.array(
      z.strictObject({
        code: z.string(),
        invoiceId: z.string().optional(),
        number: z.string().optional(),
        message: z.string(),
        fix: z.string(),
      }),
    ),
    registrations: z.array(Registration).optional().meta({ description: 'Of the invoice asked for.' }),
  })
  .meta({ id: 'RegistryState' })
export type RegistryState = z.infer<typeof RegistryState>

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
    before: z.int().optional().meta({ description: 'Records with a lower sequence than this.' }),
    limit: z.int().min(1).max(200).optional(),
  }),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        recordId: z.string(),
        sequence: z.int(),
        kind: z.enum(['registration', 'cancellation']),
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

export const registryContracts = [
  registryStatusContract,
  listRecordsContract,
  verifyChainContract,
  sendNowContract,
] as const
