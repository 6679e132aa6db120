/** Which issued invoices go by the platform. Source: RD 238/2026 arts. 3 and 4. */
import { checkNif, normalizeNif } from '../../../domain/tax/nif.ts'

/** Why an invoice does not go by the platform. Stable: programs rely on them. */
const NOT_DUE = [
  'simplified',
  'customer_abroad',
  'customer_number_missing',
  'consumer',
  'business_not_stated',
  'public_body',
  'before_followed',
  'other_platform',
  'other_way',
  'cancelled',
] as const
export type NotDue = (typeof NOT_DUE)[number]

interface ScopeFacts {
  kind: string
  /** A simplified invoice with the data of its customer (RD 1619/2012 art. 7.2). */
  isQualified: boolean
  issueDate: string
  clientNif: string | null
  clientCountry: string
  /** True, false, or null where nobody said it. */
  isBusiness: boolean | null
  isPublicBody: boolean
  channel: 'platform' | 'copy' | 'other' | 'none'
}

/** Returns true for the number of a public body: local corporations, other public bodies, bodies of the state. */
function isOfPublicBody(nif: string): boolean {
  return /^[PQS]/.test(nif)
}

/** Returns null for an invoice that goes by the platform, or why it does not. */
export function notDueBecause(facts: ScopeFacts, followedFrom: string): NotDue | null {
  // A rectification of a simplified invoice is treated as one: no text says otherwise.
  if ((facts.kind === 'F2' && !facts.isQualified) || facts.kind === 'R5') return 'simplified'
  if (facts.clientCountry !== 'ES') return 'customer_abroad'
  if (facts.clientNif === null) return 'customer_number_missing'
  const checked = checkNif(facts.clientNif)
  if (!checked.ok && checked.reason === 'shape') return 'customer_number_missing'
  if (facts.isPublicBody || isOfPublicBody(normalizeNif(facts.clientNif))) return 'public_body'
  if (facts.isBusiness === false) return 'consumer'
  if (facts.isBusiness === null && checked.kind !== 'entity') return 'business_not_stated'
  if (facts.channel === 'other') return 'other_platform'
  if (facts.channel === 'none') return 'other_way'
  if (facts.issueDate < followedFrom) return 'before_followed'
  return null
}
