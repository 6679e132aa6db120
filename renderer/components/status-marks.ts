/** Icon and colour of each registry status of an invoice or a record. Pure. */
import { icons } from '../icons.ts'
import type { IconName } from '../icons.ts'

export type RegistryWord =
  | 'not_issued'
  | 'not_registered'
  | 'pending'
  | 'sending'
  | 'accepted'
  | 'accepted_with_errors'
  | 'rejected'
  | 'unknown'
  | 'cancelled'

export interface Mark {
  icon: IconName
  tone: string
}

export const STATUS_MARKS: Readonly<Record<RegistryWord, Mark>> = {
  not_issued: { icon: icons.notIssued, tone: 'text-muted' },
  not_registered: { icon: icons.history, tone: 'text-muted' },
  pending: { icon: icons.queued, tone: 'text-muted' },
  sending: { icon: icons.sending, tone: 'text-info' },
  accepted: { icon: icons.accepted, tone: 'text-success' },
  accepted_with_errors: { icon: icons.acceptedWithErrors, tone: 'text-warning' },
  rejected: { icon: icons.rejected, tone: 'text-error' },
  unknown: { icon: icons.unknown, tone: 'text-warning' },
  cancelled: { icon: icons.cancelled, tone: 'text-muted' },
}
