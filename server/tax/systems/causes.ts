/** Causes that a tax takes over from the catalogue of VAT: the same case under the article of its own law. */
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Cause } from './cause.ts'
import { causes } from './vat/causes/index.ts'

/** Cases that exist only in the Union or in the law of VAT. */
const ONLY_VAT: ReadonlySet<string> = new Set([
  'farmer',
  'retailer_surcharge',
  'simplified',
  'zero_donations',
  'oss',
  'triangular',
  'travel_outside',
])

/** Treatments whose cases a tax defines itself. */
const OWN: ReadonlySet<TaxTreatment> = new Set<TaxTreatment>(['S2', 'E5', 'E6', 'E7', 'E8'])

/**
 * Returns the shared cases with the article that a tax has for their treatment. Their texts of VAT are left out: the words of
 * the treatment apply. `taxed` keeps schemes of taxed sales, whose words cite no article; `keyOf` gives the key of the
 * record.
 */
export function sharedCauses(
  articleOf: (taxTreatment: TaxTreatment) => string,
  taxed: boolean,
  keyOf: (cause: Cause) => string = ({ regimeKey }) => regimeKey,
): Cause[] {
  return causes
    .filter(({ code, taxTreatment }) => !ONLY_VAT.has(code) && !OWN.has(taxTreatment))
    .filter(({ taxTreatment }) => taxed || taxTreatment !== 'S1')
    .map((cause) => {
      const { mention, ...rest } = cause
      const own = { ...rest, article: articleOf(cause.taxTreatment), regimeKey: keyOf(cause) }
      return cause.taxTreatment === 'S1' && mention ? { ...own, mention } : own
    })
}
