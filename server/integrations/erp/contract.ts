/** Contract of the connection to an external accounting system, and of its syncs. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, FaultShape, Instant, line, PathId } from '../../domain/contract/fields.ts'

export const ResourceName = z
  .enum(['contacts', 'issued', 'received', 'catalogue'])
  .meta({ description: 'What is read: contacts, issued invoices, received invoices, products and services.' })
export type ResourceName = z.infer<typeof ResourceName>

const PROVIDER_IDS = ['holded', 'odoo'] as const
export const ProviderId = z.enum(PROVIDER_IDS).meta({ id: 'ErpProvider', description: 'Accounting system.' })
export type ProviderId = z.infer<typeof ProviderId>

const ConnectionState = z.enum(['connected', 'needs_reconnection', 'disconnected'])
const RunState = z.enum(['running', 'completed', 'partial', 'failed', 'cancelled'])
const ResourceState = z.enum(['waiting', 'running', 'completed', 'failed', 'skipped'])

const Permissions = z.strictObject({
  granted: z.array(z.string()).meta({ description: "In the system's own words." }),
  missing: z.array(z.string()),
})

const RunFailure = z.strictObject({
  code: z.string().meta({ description: 'A code of the error catalogue.' }),
  details: z.record(z.string(), z.unknown()).optional(),
})

const RunResource = z.strictObject({
  resource: ResourceName,
  state: ResourceState,
  pages: z.int(),
  fetched: z.int().meta({ description: 'Rows the system sent.' }),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  duplicates: z.int().meta({ description: 'Sent more than once; the later one counts.' }),
  rejected: z
    .int()
    .meta({ description: 'Rows that could not be read: kept, shown, and in the way of nothing.' }),
  missing: z.int().meta({ description: 'Known before, and not there any more.' }),
  window: z.strictObject({ from: businessDate(), to: businessDate() }).nullable(),
  error: RunFailure.nullable(),
})

export const Run = z
  .strictObject({
    runId: z.string(),
    state: RunState,
    mode: z.enum(['window', 'full']),
    startedAt: Instant,
    finishedAt: Instant.nullable(),
    calls: z.int().meta({ description: 'Requests made to the system so far.' }),
    estimate: z.int().meta({ description: 'Requests it was thought to take.' }),
    resumable: z.boolean().meta({ description: 'The next one goes on where this one stopped.' }),
    resources: z.array(RunResource),
    error: RunFailure.nullable(),
  })
  .meta({ id: 'ErpRun', description: 'One reading of the accounting system.' })
export type Run = z.infer<typeof Run>

export const Quota = z
  .strictObject({
    month: z.string().meta({ description: 'In Spain, as 2026-11.' }),
    used: z.int().meta({ description: 'Requests this month, as far as is known.' }),
    budget: z
      .int()
      .nullable()
      .meta({ description: 'Requests a month that may be used; null where nobody counts.' }),
    reserve: z.int().meta({ description: 'Part of the budget that is only used with force.' }),
    limit: z.int().nullable().meta({ description: "The system's own limit, when its meter tells." }),
    source: z
      .enum(['local', 'headers', 'meter'])
      .meta({ description: 'Who counted: Sello alone, or the system, other programs included.' }),
  })
  .meta({ id: 'ErpQuota' })
export type Quota = z.infer<typeof Quota>

const CREDENTIAL = {
  erpApiKey: z
    .string()
    .min(1)
    .max(4096)
    .check((context) => {
      if (context.value.replace(/\s/g, '') === '')
        context.issues.push({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, input: '' })
    })
    .meta({
      description:
        'Made in the accounting system, with permission to read. Kept encrypted, never shown again.',
    }),
  provider: ProviderId.optional().meta({ description: 'Default: the one connected before, else holded.' }),
  baseUrl: z
    .string()
    .max(300)
    .optional()
    .meta({ description: 'Of a self-hosted system: its https address.' }),
  database: line(120).optional().meta({ description: 'Of a self-hosted system that serves several.' }),
  accountId: line(60).optional().meta({ description: 'Which company, when the key opens several.' }),
}

const Connected = z.strictObject({
  connected: z.literal(true),
  erpAccountName: z.string().nullable().meta({ description: 'Null where the system does not tell.' }),
  lastSyncAt: Instant.nullable(),
  provider: ProviderId,
  apiFlavour: z.string(),
  permissions: Permissions,
  keyHint: z.string(),
  label: z.string().nullable(),
  warnings: z.array(FaultShape),
})

export const connectContract = defineContract({
  name: 'erp.connect',
  summary: 'Connect the accounting system with its API key, or replace the key.',
  description:
    'The key is tried first and only then kept, encrypted with AES-256-GCM. When it is refused or may not read what is needed, nothing changes, and details.permissions names what was found and what is missing.',
  access: 'integrations.write',
  effect: 'write',
  external: true,
  rest: { method: 'POST', path: '/integrations/erp/api-key' },
  input: z.strictObject({
    ...CREDENTIAL,
    label: line(60).optional().meta({ description: 'How you call this connection.' }),
    replace: z.boolean().optional().meta({
      description: 'The key belongs to another account: what was read from the one before is kept apart.',
    }),
    sameAccount: z
      .boolean()
      .optional()
      .meta({ description: 'The key belongs to the same account, for certain.' }),
  }),
  output: Connected,
  errors: [
    'validation_failed',
    'erp_key_rejected',
    'erp_permission_missing',
    'erp_plan_required',
    'erp_address_refused',
    'erp_account_choice',
    'erp_other_account',
    'erp_stand_in_missing',
    'erp_rate_limited',
    'erp_quota_exhausted',
    'erp_unavailable',
    'erp_protocol_error',
  ],
})

export const disconnectContract = defineContract({
  name: 'erp.disconnect',
  summary: 'Destroy the key. Sello can read no more; what was read stays.',
  access: 'integrations.write',
  effect: 'write',
  external: true,
  rest: { method: 'DELETE', path: '/integrations/erp/api-key' },
  input: z.strictObject({}),
  output: z.strictObject({
    connected: z.literal(false),
    removed: z.boolean().meta({ description: 'False when there was no key.' }),
    dataKept: z.literal(true),
  }),
  errors: [],
})

export const syncContract = defineContract({
  name: 'erp.sync',
  summary: 'Read contacts, issued and received invoices and the catalogue from the accounting system.',
  description:
    'Runs only when asked, never by itself, so as not to use up the calls of the month. While one runs, and for a minute after, the same run is answered and nothing is asked again. A run that was interrupted goes on where it stopped for a day.',
  access: 'integrations.write',
  effect: 'write',
  bringsNew: true,
  external: true,
  rest: {
    method: 'POST',
    path: '/integrations/erp/sync',
    status: 202,
    fields: 'query',
    otherStatus: { status: 200, when: (data) => (data as Run).state !== 'running' },
  },
  input: z.strictObject({
    wait: z
      .int()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: '1: answer when it has ended, after 25 seconds at the latest.' }),
    mode: z.enum(['auto', 'full']).optional().meta({
      description: 'full: everything since the start of the history. auto: what may have changed.',
    }),
    resources: z
      .string()
      .max(60)
      .regex(/^(contacts|issued|received|catalogue)(,(contacts|issued|received|catalogue))*$/)
      .optional()
      .meta({ description: 'Only these, with commas between. Default: all.' }),
    force: z
      .boolean()
      .optional()
      .meta({ description: 'Also when the budget of the month does not suffice, or it has just run.' }),
  }),
  output: Run,
  errors: ['validation_failed', 'erp_not_connected', 'erp_needs_reconnection', 'erp_quota_guard'],
})

export const cancelRunContract = defineContract({
  name: 'erp.cancel',
  summary: 'Stop the reading under way. What was read stays, and the next one goes on from there.',
  access: 'integrations.write',
  effect: 'write',
  rest: { method: 'POST', path: '/integrations/erp/runs/:id/cancel' },
  input: z.strictObject({ id: PathId }),
  output: Run,
  errors: ['not_found'],
})

export const Integration = z
  .strictObject({
    kind: z.enum(['accounting', 'hotel', 'restaurant', 'clinic']),
    provider: ProviderId,
    label: z.string().meta({ description: 'Name of the product.' }),
    connected: z.boolean(),
    state: ConnectionState,
    connectionId: z.string().nullable().meta({ description: 'Null while it was never connected.' }),
    ownLabel: z.string().nullable(),
    erpAccountName: z.string().nullable(),
    erpAccountHint: z.string().nullable().meta({ description: 'The masked key, where there is no name.' }),
    erpTaxId: z.string().nullable(),
    baseUrl: z.string().nullable(),
    keyHint: z.string().nullable(),
    apiFlavour: z.string().nullable(),
    permissions: Permissions,
    lastSyncAt: Instant.nullable().meta({
      description: 'When contacts and invoices were last read completely.',
    }),
    lastPartialAt: Instant.nullable(),
    lastError: z.strictObject({ code: z.string(), at: Instant }).nullable(),
    historyFrom: businessDate('First day that is read.').nullable(),
    counts: z.strictObject({
      contacts: z.int(),
      issued: z.int(),
      received: z.int(),
      catalogue: z.int(),
      missing: z
        .int()
        .meta({ description: 'Of all these: not there any more at the last complete reading.' }),
    }),
    fullPassDue: z
      .boolean()
      .meta({ description: 'A full reading is older than 90 days, or there was none.' }),
    currentRun: Run.nullable(),
    lastRun: Run.nullable(),
    quota: Quota.nullable(),
    version: z.int().nullable(),
  })
  .meta({ id: 'Integration', description: 'A program whose books can be read here, connected or not.' })
export type Integration = z.infer<typeof Integration>

export const statusContract = defineContract({
  name: 'erp.status',
  summary:
    'All accounting integrations, connected or not: freshness, counts, quota, last error, reading under way.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/accounting/status' },
  input: z.strictObject({}),
  output: z.strictObject({ integrations: z.array(Integration) }),
  errors: [],
})

export const settingsContract = defineContract({
  name: 'erp.settings',
  summary: 'Change the monthly budget of requests, the start of the history or the name of the connection.',
  access: 'integrations.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/integrations/erp/settings' },
  input: z.strictObject({
    monthlyBudget: z.int().min(1).max(10_000_000).optional(),
    historyFrom: businessDate(
      'First day that is read; a new one takes effect with the next full reading.',
    ).optional(),
    label: line(60).nullable().optional(),
    expectedVersion: z.int().optional(),
  }),
  output: Integration,
  errors: ['validation_failed', 'version_conflict', 'erp_not_connected'],
})

export const runsContract = defineContract({
  name: 'erp.runs',
  summary: 'Readings of the accounting system, newest first.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/erp/runs' },
  input: z.strictObject({
    connectionId: PathId.optional().meta({
      description: 'Default: the connection of now, else the last one.',
    }),
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(Run), nextCursor: z.string().nullable() }),
  errors: ['validation_failed', 'not_found'],
})

export const runContract = defineContract({
  name: 'erp.run',
  summary: 'One reading with its progress.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/erp/runs/:id' },
  input: z.strictObject({ id: PathId }),
  output: Run,
  errors: ['not_found'],
})

export const RunReject = z
  .strictObject({
    resource: ResourceName,
    externalKind: z.string(),
    externalId: z.string().nullable(),
    page: z.int(),
    position: z.int().meta({ description: 'Place in the page, from 0.' }),
    reason: z.enum([
      'not_an_object',
      'missing_id',
      'missing_name',
      'impossible_date',
      'missing_date',
      'unreadable_amount',
      'amount_out_of_range',
      'wrong_shape',
    ]),
    field: z.string().nullable(),
    raw: z.string().meta({ description: 'The row as it came, cut.' }),
    at: Instant,
    untrusted: z.literal(true),
  })
  .meta({ id: 'ErpReject', description: 'A row that could not be read.' })
export type RunReject = z.infer<typeof RunReject>

export const rejectsContract = defineContract({
  name: 'erp.rejects',
  summary: 'Rows of a reading that could not be read, as they came.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/erp/runs/:id/rejects' },
  input: z.strictObject({
    id: PathId,
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(RunReject), nextCursor: z.string().nullable() }),
  errors: ['not_found', 'validation_failed'],
})

/** For people only: it cannot be undone. */
export const forgetContract = defineContract({
  name: 'erp.forget',
  summary: 'Delete everything that was read from a disconnected accounting system.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ connectionId: PathId }),
  output: z.strictObject({ deleted: z.int().meta({ description: 'Records.' }) }),
  errors: ['not_found', 'erp_still_connected'],
})
