/** Catalogue of causes: every usual case in which VAT is not charged as on a plain sale. */
import type { TaxTreatment } from '../../../../domain/tax/totals.ts'
import type { Cause } from '../../cause.ts'
import { article20, exports, unionAndOthers } from './exempt.ts'
import { byNature, byPlace } from './not-subject.ts'
import { reverseCharge, schemes } from './taxed.ts'

/** In the order of the registry's codes: taxed, reverse charge, exempt, not subject. */
export const causes: readonly Cause[] = [
  ...schemes,
  ...reverseCharge,
  ...article20,
  ...exports,
  ...unionAndOthers,
  ...byNature,
  ...byPlace,
]

const byCode = new Map(causes.map((cause) => [cause.code, cause]))

/** Returns a cause by its code, or undefined. */
export function findCause(code: string): Cause | undefined {
  return byCode.get(code)
}

/** Returns the causes for a line's treatment, which the page offers for selection. */
export function causesOf(taxTreatment: TaxTreatment): Cause[] {
  return causes.filter((cause) => cause.taxTreatment === taxTreatment)
}
