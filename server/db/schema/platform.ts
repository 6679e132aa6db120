/**
 * Types of the tables of platform/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/platform.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export interface ApiKeysTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  lookup: string
  prefix: string
  secret_hash: Uint8Array
  scopes: string
  approval: 'always' | 'never'
  assistant: Flag
  per_day: Nullable<number>
  cents_per_day: Nullable<number>
  created_at: number
  last_used_at: Nullable<number>
  expires_at: Nullable<number>
  revoked_at: Nullable<number>
  maker_id: Nullable<number>
  /** The key's permissions, sealed; null only before the first start after an update. */
  facts_seal: Nullable<string>
  /** Person of an office whose key it is; null on a desk. */
  person_id: Nullable<string>
}

export interface KeyUsageTable {
  key_id: number
  day: string
  issued: number
  cents: number
}

export interface ActorsTable {
  id: Generated<number>
  kind: 'user' | 'key' | 'system'
  public_id: string
  name: string
}

export interface AuditEventsTable {
  book_id: number
  sequence: number
  at: number
  actor_id: number
  channel: 'ui' | 'rest' | 'mcp' | 'system'
  action: string
  target_type: Nullable<string>
  target_id: Nullable<string>
  target_label: Nullable<string>
  outcome: 'ok' | 'refused' | 'failed'
  code: Nullable<string>
  request_id: string
  hash: Uint8Array
}

export interface EventsTable {
  id: Generated<number>
  book_id: number
  type: string
  at: number
  data: string
  actor_id: Nullable<number>
}

export interface IdempotencyKeysTable {
  scope: string
  idempotency_key: string
  operation: string
  input_hash: Uint8Array
  status: number
  reply: string
  sealed: Generated<Flag>
  created_at: number
}

export interface ProposalsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  key_id: Nullable<number>
  status: 'pending_user' | 'not_applicable' | 'accepted' | 'rejected' | 'expired'
  action: string
  target_id: Nullable<string>
  reason: string
  body: string
  created_at: number
  expires_at: number
  decided_at: Nullable<number>
  decision_note: Nullable<string>
}

export interface AdvisedCompaniesTable {
  company_id: number
  pairing: string
  entry_shift: number
  rebased: Generated<Flag>
  arrived_at: number
}

export interface FilesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  sha256: Uint8Array
  /** Bytes. */
  size: number
  media_type: string
  name: string
  created_at: number
}

export interface FileBytesTable {
  file_id: number
  bytes: Uint8Array
}

export interface FileLinksTable {
  file_id: number
  /** Owner of the attachment: `received`, `invoice`…, and the row of that table. */
  target_type: string
  target_id: number
  linked_at: number
}

export interface TrashTable {
  id: Generated<number>
  book_id: number
  public_id: string
  content: string
  told: string
  deleted_at: number
}

export interface WebhooksTable {
  id: Generated<number>
  book_id: number
  public_id: string
  url: string
  description: Nullable<string>
  events: string
  sealed_secret: string
  sealed_previous: Nullable<string>
  previous_until: Nullable<number>
  allow_local: Generated<Flag>
  state: Generated<'active' | 'disabled'>
  disabled_reason: Nullable<'asked' | 'gone' | 'failing'>
  failing_since: Nullable<number>
  failures: Generated<number>
  last_success_at: Nullable<number>
  hold_until: Nullable<number>
  after_event_id: number
  version: Generated<number>
  created_at: number
  updated_at: number
}

export interface WebhookDeliveriesTable {
  id: Generated<number>
  webhook_id: number
  public_id: string
  event_id: Nullable<number>
  type: string
  event_at: number
  body: string
  state: 'due' | 'leased' | 'done' | 'dead'
  attempts: Generated<number>
  tries: Generated<number>
  next_at: Nullable<number>
  leased_until: Nullable<number>
  reason: Nullable<string>
  created_at: number
  settled_at: Nullable<number>
}

export interface WebhookAttemptsTable {
  delivery_id: number
  number: number
  at: number
  ms: number
  status: Nullable<number>
  fault: Nullable<string>
  answer: Nullable<string>
}

export interface EventCursorsTable {
  book_id: number
  /** Events of the book up to this one were handed out to its webhooks. */
  event_id: number
}

export interface PlatformTables {
  api_keys: ApiKeysTable
  key_usage: KeyUsageTable
  actors: ActorsTable
  audit_events: AuditEventsTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  proposals: ProposalsTable
  advised_companies: AdvisedCompaniesTable
  files: FilesTable
  file_bytes: FileBytesTable
  file_links: FileLinksTable
  bin: TrashTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_attempts: WebhookAttemptsTable
  event_cursors: EventCursorsTable
}
