/**
 * Tax of other member states that invoices of the one-stop shop charge. It is in the invoices and not in the tax totals, which
 * have Spanish tax only.
 */
import { percentOf } from '../../../../domain/money.ts'
import type { Cents } from '../../../../domain/money.ts'
import type { Ctx } from '../../../../context.ts'
import type { FigureEntry, TaxTotalRow } from '../../../../tax/totals/index.ts'

/** Invoices that are read at once. */
const AT_ONCE = 1000

type Entry = Pick<FigureEntry, 'source' | 'sourceId' | 'part' | 'baseCents' | 'taxCents'>

interface ForeignTax {
  /** Returns the tax of an entry of a group of the one-stop shop, in cents. */
  of(entry: Entry, group: Pick<TaxTotalRow, 'vatRateBp'>): Cents
}

const keyOf = (invoice: number, rateBp: number): string => `${invoice}|${rateBp}`

async function replacedOf(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const rows = await ctx.db
      .selectFrom('invoice_replacements')
      .select(['invoice_id', 'replaced_id'])
      .where('invoice_id', 'in', ids.slice(from, from + AT_ONCE))
      .orderBy('replaced_id')
      .execute()
    for (const { invoice_id: by, replaced_id: replaced } of rows)
      found.set(by, [...(found.get(by) ?? []), replaced])
  }
  return found
}

async function chargedBy(ctx: Ctx, ids: readonly number[]): Promise<Map<string, Cents>> {
  const found = new Map<string, Cents>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const rows = await ctx.db
      .selectFrom('invoice_taxes')
      .select(['invoice_id', 'vat_rate_bp', 'outside_cents'])
      .where('invoice_id', 'in', ids.slice(from, from + AT_ONCE))
      .where('regime_key', '=', '17')
      .execute()
    for (const row of rows) {
      const key = keyOf(row.invoice_id, row.vat_rate_bp ?? -1)
      found.set(key, (found.get(key) ?? 0) + row.outside_cents)
    }
  }
  return found
}

/** Reads the tax that the invoices behind entries charge, and that of the invoices which they replace. */
export async function foreignTaxOf(ctx: Ctx, entries: readonly Entry[]): Promise<ForeignTax> {
  const ids = [...new Set(entries.map(({ sourceId }) => sourceId))]
  const taking = [...new Set(entries.filter(({ part }) => part > 0).map(({ sourceId }) => sourceId))]
  const replaced = await replacedOf(ctx, taking)
  const charged = await chargedBy(ctx, [...new Set([...ids, ...[...replaced.values()].flat()])])
  return {
    of: ({ sourceId, part, baseCents, taxCents }, { vatRateBp }) => {
      if (part === 0) return taxCents + (charged.get(keyOf(sourceId, vatRateBp)) ?? 0)
      // A part takes back a replaced invoice, in the order of their numbers; one of another program has only its base.
      const before = replaced.get(sourceId)?.[part - 1]
      return before === undefined
        ? percentOf(baseCents, Math.max(0, vatRateBp))
        : -(charged.get(keyOf(before, vatRateBp)) ?? 0)
    },
  }
}
