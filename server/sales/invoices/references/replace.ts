/**
 * What an issued invoice takes the place of: the tickets of an F3, the invoice of a rectification by substitution, each with
 * what rectified it before. Kept with the issue, so that figures, books and dues take back what they added and nothing else.
 */
import type { Cents } from '../../../domain/money.ts'
import type { TaxTotal, Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { totalsOf } from '../content.ts'
import type { DraftContent } from '../content.ts'
import { familyOf } from './references.ts'
import { membersOf } from './standing.ts'
import { contentOf, findInvoiceByRow } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

const insert = prepare((db, p: { invoiceId: number; replacedId: number }) =>
  db.insertInto('invoice_replacements').values({ invoice_id: p.invoiceId, replaced_id: p.replacedId }),
)

const byInvoice = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('invoice_replacements')
    .select('replaced_id')
    .where('invoice_id', '=', p.invoiceId)
    .orderBy('replaced_id'),
)

const byReplaced = prepare((db, p: { replacedId: number }) =>
  db
    .selectFrom('invoice_replacements')
    .innerJoin('invoices', 'invoices.id', 'invoice_replacements.invoice_id')
    .select('invoices.id')
    .where('invoice_replacements.replaced_id', '=', p.replacedId)
    .where('invoices.cancelled_at', 'is', null),
)

/** The role in which an invoice takes others' place; null when it stands beside them. */
function replacingRole(
  content: Pick<DraftContent, 'kind' | 'rectification'>,
): 'rectifies' | 'substitutes' | null {
  if (content.kind === 'F3') return 'substitutes'
  return content.rectification?.method === 'S' ? 'rectifies' : null
}

/**
 * Rows that an invoice takes the place of: the ones it names and what rectified them before, as things stand now. What another
 * invoice in force took the place of is left out: that one took it back already, and twice would count it as a sale again.
 */
export async function replacedRows(
  ctx: Ctx,
  content: Pick<DraftContent, 'kind' | 'rectification' | 'references'>,
  rowId: number | null,
): Promise<InvoiceRow[]> {
  const role = replacingRole(content)
  const replaced = new Set<number>()
  for (const reference of role === null ? [] : content.references)
    if (reference.role === role && reference.targetId !== null)
      for (const id of membersOf(await familyOf(ctx, reference.targetId, rowId))) replaced.add(id)
  const rows: InvoiceRow[] = []
  for (const id of replaced) {
    const others = (await byReplaced.all(ctx.db, { replacedId: id })).filter((other) => other.id !== rowId)
    const row = others.length === 0 ? await findInvoiceByRow(ctx, id) : undefined
    if (row) rows.push(row)
  }
  return rows
}

/** Notes what an invoice takes the place of. In the transaction of its issue, once. */
export async function recordReplacements(ctx: Ctx, rowId: number, content: DraftContent): Promise<void> {
  for (const { id } of await replacedRows(ctx, content, rowId))
    await insert.run(ctx.db, { invoiceId: rowId, replacedId: id })
}

/** An invoice of this book that another took the place of. */
export interface Replaced {
  row: InvoiceRow
  content: DraftContent
  /** In euros. */
  totals: Totals
}

/** The invoices of this book that an issued one took the place of; empty for most. */
export async function replacedBy(ctx: Ctx, rowId: number): Promise<Replaced[]> {
  const rows = await byInvoice.all(ctx.db, { invoiceId: rowId })
  return invoicesOf(
    ctx,
    rows.map((row) => row.replaced_id),
  )
}

/** The invoices in force that took the place of an issued one. */
export async function standingFor(ctx: Ctx, rowId: number): Promise<Replaced[]> {
  const rows = await byReplaced.all(ctx.db, { replacedId: rowId })
  return invoicesOf(
    ctx,
    rows.map(({ id }) => id),
  )
}

async function invoicesOf(ctx: Ctx, ids: readonly number[]): Promise<Replaced[]> {
  const found: Replaced[] = []
  for (const id of ids) {
    const row = await findInvoiceByRow(ctx, id)
    if (!row) continue
    const content = await contentOf(ctx.db, row)
    found.push({ row, content, totals: totalsOf(content) })
  }
  return found
}

/**
 * What a substitution takes back of invoices made with another program: what it says they said, less what is known here.
 * Of their rates nothing is known: it goes to the group of the new invoice whose rate comes closest. Null when nothing is.
 */
export function takenFromElsewhere(
  content: Pick<DraftContent, 'kind' | 'rectification' | 'references'>,
  totals: Totals,
  replaced: readonly Replaced[],
): TaxTotal | null {
  const { rectification, references } = content
  const rectified = rectification?.rectified
  if (!rectified || !references.some(({ targetId }) => targetId === null)) return null
  const known = (pick: (totals: Totals) => Cents) =>
    replaced.reduce((sum, each) => sum + pick(each.totals), 0)
  const baseCents = rectified.baseCents - known((each) => each.baseCents)
  const taxCents = rectified.taxCents - known((each) => each.taxCents - each.surchargeCents)
  const surchargeCents = (rectified.surchargeCents ?? 0) - known((each) => each.surchargeCents)
  if (baseCents === 0 && taxCents === 0) return null
  const rate = baseCents === 0 ? 0 : (taxCents / baseCents) * 10_000
  const distance = (tax: TaxTotal) => Math.abs((tax.vatRateBp ?? 0) - rate)
  const [closest] = [...totals.taxes].sort((a, b) => distance(a) - distance(b))
  if (!closest) return null
  return { ...closest, baseCents, taxCents, surchargeCents, outsideCents: 0 }
}
