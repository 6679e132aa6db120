/** Types of the tables of migrations/0008-webhooks.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

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
  allow_local: Defaulted<Flag>
  state: Defaulted<'active' | 'disabled'>
  disabled_reason: Nullable<'asked' | 'gone' | 'failing'>
  failing_since: Nullable<number>
  failures: Defaulted<number>
  last_success_at: Nullable<number>
  hold_until: Nullable<number>
  after_event_id: number
  version: Defaulted<number>
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
  attempts: Defaulted<number>
  tries: Defaulted<number>
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

export interface WebhookFanOutTable {
  id: number
  event_id: number
}

export interface WebhooksTables {
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_attempts: WebhookAttemptsTable
  webhook_fan_out: WebhookFanOutTable
}
