/**
 * Types of the tables of documents/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/documents.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export interface MailAccountsTable {
  company_id: number
  channel: Generated<'program' | 'smtp'>
  host: Nullable<string>
  port: Nullable<number>
  security: Nullable<'tls' | 'starttls' | 'plain'>
  user: Nullable<string>
  sealed_password: Nullable<string>
  from_name: Nullable<string>
  from_address: Nullable<string>
  reply_to: Nullable<string>
  copy_to_self: Generated<Flag>
  tested_at: Nullable<number>
  version: Generated<number>
  updated_at: number
}

export interface MailTemplatesTable {
  company_id: number
  kind: 'invoice' | 'quote' | 'reminder_1' | 'reminder_2' | 'reminder_3' | 'statement'
  language: 'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'de' | 'pt'
  subject: string
  body: string
  updated_at: number
}

export interface MailsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'invoice' | 'quote' | 'reminder' | 'statement'
  channel: 'smtp' | 'program'
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | 'handed' | 'discarded'
  language: 'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'de' | 'pt'
  contact_id: Nullable<number>
  from_name: Nullable<string>
  from_address: Nullable<string>
  reply_to: Nullable<string>
  recipients: string
  copies: Generated<string>
  blind_copy: Nullable<string>
  subject: string
  body: string
  message_id: string
  consequence: Nullable<string>
  refused: Generated<string>
  attempts: Generated<number>
  next_attempt_at: Nullable<number>
  reason: Nullable<string>
  detail: Nullable<string>
  made_by: string
  created_at: number
  settled_at: Nullable<number>
  /** Migration 0002: time at which its text and addresses were erased. */
  emptied_at: Nullable<number>
}

export interface MailDocumentsTable {
  mail_id: number
  position: number
  invoice_id: Nullable<number>
  quote_id: Nullable<number>
  label: string
}

/** Schedules of automatic payment reminders. */
export interface ReminderPlansTable {
  book_id: number
  enabled: Generated<Flag>
  /** JSON list: days after the due date. */
  steps: string
  automatic: Generated<Flag>
  since: string
  version: Generated<number>
  updated_at: number
}

/** Invoices in dispute, excluded from reminders. */
export interface ReminderHoldsTable {
  invoice_id: number
  created_at: number
}

export interface ReminderInstalmentsTable {
  reminder_id: number
  invoice_id: number
  instalment: number
  due_cents: number
  interest_cents: number
  recovery_cents: number
}

export interface PlannedRemindersTable {
  id: Generated<number>
  book_id: number
  public_id: string
  invoice_id: number
  step: number
  planned_on: string
  state: 'waiting' | 'sent' | 'skipped'
  mail_id: Nullable<number>
  created_at: number
  settled_at: Nullable<number>
}

export interface MailAttachmentsTable {
  mail_id: number
  position: number
  name: string
  media_type: string
  size: number
  sha256: Uint8Array
  invoice_id: Nullable<number>
  document_language: Nullable<string>
  bytes: Nullable<Uint8Array>
}

export interface DocumentsTables {
  mail_accounts: MailAccountsTable
  mail_templates: MailTemplatesTable
  mails: MailsTable
  mail_documents: MailDocumentsTable
  reminder_plans: ReminderPlansTable
  reminder_holds: ReminderHoldsTable
  reminder_instalments: ReminderInstalmentsTable
  planned_reminders: PlannedRemindersTable
  mail_attachments: MailAttachmentsTable
}
