/** Types of the tables of migrations/0001/access.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

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
}

export interface IdempotencyKeysTable {
  scope: string
  idempotency_key: string
  operation: string
  input_hash: Uint8Array
  status: number
  reply: string
  sealed: Defaulted<Flag>
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

export interface AccessTables {
  api_keys: ApiKeysTable
  key_usage: KeyUsageTable
  actors: ActorsTable
  audit_events: AuditEventsTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  proposals: ProposalsTable
}
