/** Counts received invoices that deduct VAT charged by a foreign supplier without a Spanish tax number. */
import { isNif } from '../../../domain/tax/nif.ts'
import type { Ctx } from '../../../context.ts'
import { entriesOf, taxTotals } from '../../../tax/totals/index.ts'
import type { Months } from '../../../tax/totals/index.ts'
import { all, collected, deductible, isVat, received, treatment } from '../models/selectors.ts'
import type { When } from '../models/selectors.ts'

/** VAT charged by a foreign supplier; imports are recognized by their nature. */
const chargedAbroad: When = all(
  received,
  isVat,
  collected,
  deductible,
  treatment('S1'),
  ({ place, nature }) => (place === 'eu' || place === 'non_eu') && nature === '',
)

/** Most documents of a kind that are examined; the warning needs no more. */
const LOOKED_AT = 500

/** Returns the rows of the received invoices of some months that deduct what looks like VAT of another country. */
export async function foreignVatDocuments(ctx: Ctx, months: Months): Promise<number[]> {
  const groups = (await taxTotals(ctx, months)).filter(chargedAbroad).map(({ groupId }) => groupId)
  if (groups.length === 0) return []
  const entries = await entriesOf(ctx, groups, months, { limit: LOOKED_AT })
  const ids = [...new Set(entries.map(({ sourceId }) => sourceId))]
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .select(['id', 'kind', 'supplier_nif'])
    .where('id', 'in', ids)
    .execute()
  return rows.filter((row) => row.kind !== 'customs' && !isNif(row.supplier_nif ?? '')).map(({ id }) => id)
}

/** Returns the number of those invoices. */
export async function foreignVatDeducted(ctx: Ctx, months: Months): Promise<number> {
  return (await foreignVatDocuments(ctx, months)).length
}
