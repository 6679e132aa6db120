/** Role of each tax of a line: VAT, equivalence surcharge or withholding. Stored in the connection's notes. */
import type { BasisPoints } from '../../../domain/money.ts'
import type { Notes, ProviderCtx } from '../port.ts'
import { isObject, lineOf, listOf, scaled } from '../reading/untrusted-values.ts'
import { isId, searchRead } from './call.ts'
import { linkOf } from './values.ts'

type TaxRole = 'vat' | 'surcharge' | 'withholding'

export interface Tax {
  role: TaxRole
  /** As stored in Odoo: a withholding is negative. Null where it is not a percentage of the price. */
  rateBp: BasisPoints | null
  /** Members of a tax group. */
  children: number[]
}

export type Taxes = ReadonlyMap<number, Tax>

const FIELDS = ['id', 'name', 'amount', 'amount_type', 'tax_group_id', 'children_tax_ids']
const MOST = 1000

/** Surcharges of Ley 37/1992, art. 161, and those of 2022 to 2024; none of them was ever a rate of the tax itself. */
const SURCHARGES_BP = new Set([520, 140, 50, 62, 175])

/** Reads all taxes of the account, archived ones included: old documents refer to those. */
export async function fetchTaxes(ctx: ProviderCtx): Promise<Taxes> {
  const rows = await searchRead(ctx, 'taxes', 'account.tax', {
    domain: [],
    fields: FIELDS,
    order: 'id',
    limit: MOST,
    context: { active_test: false },
  })
  return new Map(
    rows.flatMap((row): [number, Tax][] => (isObject(row) && isId(row.id) ? [[row.id, taxOf(row)]] : [])),
  )
}

function taxOf(row: Record<string, unknown>): Tax {
  const isShare = row.amount_type === 'percent' || row.amount_type === 'division'
  const rate = isShare ? scaled(String(row.amount), 2) : null
  const rateBp = rate === null || rate > 10_000n || rate < -10_000n ? null : Number(rate)
  const words = [row.name, linkOf(row.tax_group_id)?.label].map((each) => lineOf(each, 200) ?? '').join(' ')
  return { role: roleOf(rateBp, words), rateBp, children: listOf(row.children_tax_ids).filter(isId) }
}

function roleOf(rateBp: BasisPoints | null, words: string): TaxRole {
  if (/recargo|equivalencia|equivalence|surcharge|\bR\.?E\.?(?:\b|$)/i.test(words)) return 'surcharge'
  if (rateBp !== null && SURCHARGES_BP.has(rateBp)) return 'surcharge'
  if (/irpf|retenci|withhold/i.test(words)) return 'withholding'
  // The other half of a reverse charge is negative, but still VAT.
  const isVat = /\b(?:iva|vat|igic|ipsi)\b/i.test(words)
  return rateBp !== null && rateBp < 0 && !isVat ? 'withholding' : 'vat'
}

/** Returns plain JSON: identifier, role, rate, children. */
export function taxesToNote(taxes: Taxes): unknown {
  return [...taxes].map(([id, { role, rateBp, children }]) => [id, role, rateBp, children])
}

/** Parses the noted taxes; null where nothing valid was noted. */
export function taxesOfNotes(notes: Notes): Taxes | null {
  if (!Array.isArray(notes.taxes)) return null
  const taxes = new Map<number, Tax>()
  for (const each of notes.taxes as unknown[]) {
    const [id, role, rateBp, children] = listOf(each)
    if (!isId(id) || (role !== 'vat' && role !== 'surcharge' && role !== 'withholding')) return null
    taxes.set(id, {
      role,
      rateBp: typeof rateBp === 'number' ? rateBp : null,
      children: listOf(children).filter(isId),
    })
  }
  return taxes
}

/**
 * Returns the taxes of identifiers, with groups expanded; `unknown` when one is missing or is not a percentage of the
 * price.
 */
export function resolved(ids: readonly number[], taxes: Taxes): { found: [number, Tax][]; unknown: boolean } {
  const found: [number, Tax][] = []
  let unknown = false
  for (const id of ids) {
    const tax = taxes.get(id)
    if (!tax) unknown = true
    else if (tax.children.length === 0) {
      found.push([id, tax])
      unknown ||= tax.rateBp === null
    } else {
      // Groups never contain groups.
      for (const child of tax.children) {
        const part = taxes.get(child)
        if (part) found.push([child, part])
        else unknown = true
      }
    }
  }
  return { found, unknown }
}
