/**
 * Failpoints: the steps between which a crash must leave the books intact. Each step is published within this
 * process; only tests subscribe, to stop the program there. Every new step that must survive a crash is listed here.
 */
import { channel } from 'node:diagnostics_channel'

export const FAILPOINTS = [
  'issue.token_spent',
  'issue.number_taken',
  'issue.record_sealed',
  'objects.stored',
  'objects.removed',
  'store.part_kept',
  'store.before_commit',
  'store.after_commit',
  'store.log_emptied',
  'store.migration_begun',
  'store.migration_done',
  'store.migration_proved',
  'store.migration_committed',
  'sending.attempt_written',
  'sending.connected',
  'sending.request_sent',
  'sending.answer_begun',
  'sending.answer_read',
  'sending.outcome_written',
  'sending.outcome_committed',
  'filing.approved',
  'filing.send_written',
  'filing.answer_read',
  'filing.outcome_written',
  'filing.outcome_committed',
  'filing.document_read',
  'webhooks.message_leased',
  'webhooks.message_answered',
  'end.rows_deleted',
  'end.committed',
  'end.objects_removed',
  'bundles.books_written',
  'bundles.change_made_again',
  'bundles.change_taken',
  'backup.proved',
  'backup.named',
  'portable.proved',
  'portable.named',
  'rekey.begun',
  'rekey.copied',
  'rekey.sealed',
  'rekey.encrypted',
  'rekey.staged',
  'rekey.swapped',
  'rekey.key_in_place',
  'rekey.finished',
  'restore.unpacked',
  'restore.proved',
  'restore.decided',
  'restore.file_moved',
  'restore.old_aside',
  'restore.new_in_place',
  'restore.finished',
  'leaving.files_written',
  'leaving.written',
  'leaving.proved',
  'leaving.staged',
  'leaving.verified',
  'leaving.committed',
  'transfer.source_held',
  'transfer.copied',
  'transfer.proved',
  'transfer.committed',
  'transfer.verified',
  'transfer.source_moved',
  'transfer.finished',
] as const
export type Step = (typeof FAILPOINTS)[number]

/** Channel of the steps: messages are `Step`s. */
export const STEP_CHANNEL = 'sello.step'

const told = channel(STEP_CHANNEL)

/** Publishes that a step has been taken. Costs one flag check without a subscriber. */
export function failpoint(step: Step): void {
  if (told.hasSubscribers) told.publish(step)
}
