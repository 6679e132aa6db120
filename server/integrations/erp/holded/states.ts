/** Derives the state of a document: Holded's states are an open set in one API version and unreliable in the other. */
import type { Cents } from '../../../domain/money.ts'
import { lineOf } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { NeutralDocument } from '../port.ts'
import type { Flavour } from './notes.ts'
import { flagOf } from './bounded-strings.ts'

/** Returns the number, or null for a draft without one, which may also be written as hyphens. */
export function numberOf(row: Json): string | null {
  const number = lineOf(row.document_number, 120)
  return number === null || /^-+$/.test(number) ? null : number
}

interface StateCtx {
  flavour: Flavour
  side: NeutralDocument['side']
  number: string | null
  totalCents: Cents
}

const CANCELLED = /^(cancel|void|annul|anulad)/i
/** Code of a cancelled document in the older API. 0 has no meaning; 1 and 2 usually mean approved. */
const V1_CANCELLED = '3'

export function stateOf(row: Json, ctx: StateCtx): NeutralDocument['state'] {
  const status = lineOf(row.status, 40) ?? ''
  if (ctx.flavour === 'v1' ? status === V1_CANCELLED : CANCELLED.test(status)) return 'cancelled'
  return isDraft(row, status, ctx) ? 'draft' : 'approved'
}

function isDraft(row: Json, status: string, { flavour, side, number, totalCents }: StateCtx): boolean {
  const flag = flagOf(row.draft)
  if (flag === true) return true
  const isApproved = ![null, '0'].includes(lineOf(row.approved_at, 60))
  if (flavour === 'v1') {
    // 1 may also be a broken, empty draft.
    const saysApproved = status === '2' || (status === '1' && (number !== null || totalCents !== 0))
    return !saysApproved && !isApproved && number === null
  }
  const approval = lineOf(row.approval_status, 40)?.toLowerCase()
  if (approval === 'draft') return true
  if (isApproved || approval === 'approved') return false
  // A purchase may be approved and still lack its supplier's number; an issued document has one.
  return number === null && (side === 'issued' || flag === null)
}

/**
 * Derives the payment state from the paid and pending amounts, with the record's signs; from the status text where
 * both are missing.
 */
export function paymentStateOf(
  row: Json,
  totalCents: Cents,
  paidCents: Cents | null,
  pendingCents: Cents | null,
): NeutralDocument['paymentState'] {
  const status = lineOf(row.status, 40)?.toLowerCase() ?? ''
  const saysPaid = status === 'completed' || status === 'paid'
  const total = Math.abs(totalCents)
  const paid = paidCents === null ? null : Math.abs(paidCents)
  if (pendingCents === null && paid === null)
    return saysPaid ? 'paid' : status === 'pending' || status === 'unpaid' ? 'unpaid' : 'unknown'
  if (pendingCents === null) {
    if (paid === 0) return saysPaid ? 'paid' : 'unpaid'
    return (paid ?? 0) >= total ? 'paid' : 'partial'
  }
  if (pendingCents === 0) {
    // Nothing paid and nothing pending: only the status text can show that it was settled in another way.
    return paid === 0 && total !== 0 && !saysPaid ? 'unknown' : 'paid'
  }
  return (paid !== null && paid > 0) || Math.abs(pendingCents) < total ? 'partial' : 'unpaid'
}
