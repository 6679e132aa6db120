/**
 * Invoices that an issued invoice replaces: the tickets of an F3, the invoice of a rectification by substitution,
 * each with its earlier rectifications. They are stored with the issue, so that totals, books and open amounts
 * reverse exactly what those added.
 */
import type { Cents } from '../../../domain/money.ts'
import type { TaxTotal, Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { prepare, prepareRows } from '../../../db/query.ts'
import { totalsOf } from '../content.ts'
import type { DraftContent } from '../content.ts'
import { familyOf, NamedInvoices } from './references.ts'
import { membersOf } from './standing.ts'
import { contentOf, findInvoiceByRow } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

interface Replacement {
  invoiceId: number
  replacedId: number
}

const insert = prepareRows((db, replacements: readonly [Replacement, ...Replacement[]]) =>
  db
    .insertInto('invoice_replacements')
    .values(
      replacements.map(({ invoiceId, replacedId }) => ({ invoice_id: invoiceId, replaced_id: replacedId })),
    ),
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

/** Returns the role in which an invoice replaces others; null when it does not. */
function replacingRole(
  content: Pick<DraftContent, 'kind' | 'rectification'>,
): 'rectifies' | 'substitutes' | null {
  if (content.kind === 'F3') return 'substitutes'
  return content.rectification?.method === 'S' ? 'rectifies' : null
}

/**
 * Returns the rows that an invoice replaces: the named ones and their earlier rectifications, as they are now. Rows
 * that another invoice in force replaced are left out: that one reversed them already, and a second reversal would
 * count them as a sale again.
 */
export async function replacedRows(
  ctx: Ctx,
  content: Pick<DraftContent, 'kind' | 'rectification' | 'references'>,
  rowId: number | null,
  named = new NamedInvoices(ctx),
): Promise<InvoiceRow[]> {
  const role = replacingRole(content)
  const replaced = new Set<number>()
  for (const reference of role === null ? [] : content.references)
    if (reference.role === role && reference.targetId !== null)
      for (const id of membersOf(await familyOf(ctx, reference.targetId, rowId, named))) replaced.add(id)
  const rows: InvoiceRow[] = []
  for (const id of replaced) {
    const others = (await byReplaced.all(ctx.db, { replacedId: id })).filter((other) => other.id !== rowId)
    const row = others.length === 0 ? await named.row(id) : undefined
    if (row) rows.push(row)
  }
  return rows
}

/**
 * Stores the invoices that an invoice replaces, and returns them like `replacedBy`. Runs once, in the transaction of its
 * issue. `named`: what its examination has read.
 */
export async function recordReplacements(
  ctx: Ctx,
  rowId: number,
  content: DraftContent,
  named = new NamedInvoices(ctx),
): Promise<Replaced[]> {
  const rows = await replacedRows(ctx, content, rowId, named)
  await insert.later(
    ctx.db,
    rows.map(({ id }) => ({ invoiceId: rowId, replacedId: id })),
  )
  const replaced: Replaced[] = []
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    const before = await named.contentOf(row)
    replaced.push({ row, content: before, totals: totalsOf(before) })
  }
  return replaced
}

/** Replaced invoice of this book. */
export interface Replaced {
  row: InvoiceRow
  content: DraftContent
  /** In euros. */
  totals: Totals
}

/** Returns the invoices of this book that an issued one replaced; most replace none. */
export async function replacedBy(ctx: Ctx, rowId: number): Promise<Replaced[]> {
  const rows = await byInvoice.all(ctx.db, { invoiceId: rowId })
  return invoicesOf(
    ctx,
    rows.map((row) => row.replaced_id),
  )
}

/** Returns the invoices in force that replaced an issued one. */
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
 * Returns the reversal of invoices of another program by a substitution: the sums it states, less what this book
 * knows. Their rates are unknown: the amount goes to the tax group of the new invoice with the closest rate. Null
 * when nothing is left.
 */
export function amountsOfOtherProgram(
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
