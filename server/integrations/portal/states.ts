/** What the codes of the portal mean for a submission. Pure. */
import { exponentialBackoff } from '../../platform/jobs/index.ts'

/** Rejected, paid and cancelled: nothing more happens to the invoice. */
const ENDS: readonly string[] = ['2500', '2600', '3100']
/** After these the invoice may be submitted again. */
const GIVEN_BACK: readonly string[] = ['2600', '3100']
const CANCELLATION_ASKED = '4200'
export const NO_CANCELLATION = '4100'

/** Returns true while the public body has still to do something: its states are asked for. */
export function isProcessed({
  processing,
  cancellation,
}: {
  processing: string | null
  cancellation: string | null
}): boolean {
  return !ENDS.includes(processing ?? '') || cancellation === CANCELLATION_ASKED
}

/** Returns true if the invoice may be submitted again. */
export const isGivenBack = (processing: string): boolean => GIVEN_BACK.includes(processing)

/** Returns true if a cancellation can be asked for. */
export function mayCancel({
  processing,
  cancellation,
}: {
  processing: string | null
  cancellation: string | null
}): boolean {
  return !ENDS.includes(processing ?? '') && cancellation !== CANCELLATION_ASKED && cancellation !== '4300'
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Wait before the first question after an invoice was registered. */
export const FIRST_QUERY_MS = MINUTE_MS
/** Public bodies take days: asked often at first, and twice a day after that. */
export const queryWait = exponentialBackoff({ firstMs: 15 * MINUTE_MS, longestMs: 12 * HOUR_MS })
/** Wait after an attempt at which certainly nothing was done. */
export const attemptWait = exponentialBackoff({ firstMs: MINUTE_MS, longestMs: 2 * HOUR_MS })
/** Longer than any exchange with the portal may take: what is still claimed then has been interrupted. */
export const LEASE_MS = 10 * MINUTE_MS

/** What the portal says of an invoice that it has already, which its codes do not tell. */
const DUPLICATE = /duplicad|ya (?:ha sido|est[aá]|existe)/i

/** Returns true if a refusal says that the portal has the invoice. */
export const saysDuplicate = (detail: string): boolean => DUPLICATE.test(detail)
