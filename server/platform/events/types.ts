/** The event types by name; events/contract.ts describes their content. Types are only ever added. */
export const EVENT_TYPES = [
  'invoice.drafted',
  'invoice.changed',
  'invoice.deleted',
  'invoice.issued',
  'invoice.cancelled',
  'invoice.amended',
  'registry.accepted',
  'registry.accepted_with_errors',
  'registry.rejected',
  'registry.conflict',
  'registry.stopped',
  'registry.changed',
  'certificate.changed',
  'certificate.expiring',
  'certificate.expired',
  'document.ready',
  'approval.requested',
  'approval.decided',
  'proposal.created',
  'proposal.decided',
  'contact.changed',
  'key.changed',
  'company.changed',
  'item.changed',
  'quote.changed',
  'recurrence.changed',
  'received.changed',
  'payment.changed',
  'bank.changed',
  'ledger.changed',
  'filing.changed',
  'return.filed',
  'filing.due_soon',
  'import.changed',
  'mail.changed',
  'erp.connected',
  'erp.disconnected',
  'erp.needs_reconnection',
  'erp.changed',
  'erp.sync_started',
  'erp.sync_progress',
  'erp.sync_finished',
  'backup.failed',
  'backup.recovered',
  'webhook.changed',
  'webhook.disabled',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The parts before the first dot, which select all types of a family: `invoice.*`. */
export const EVENT_FAMILIES: readonly string[] = [
  ...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`)),
]

/** Progress events of running work, for live listeners: not sent by webhook. */
export const PROGRESS_TYPES: readonly EventType[] = ['erp.sync_progress']
