/** What an invoice says of others: those it rectifies or stands for, and those that rectify it or stand for it. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { DraftContent, InvoiceReferenceFacts } from '../content.ts'
import type { Invoice, InvoiceReference } from '../contract.ts'
import { familyOf } from './references.ts'
import { rectifiedState } from './standing.ts'
import type { InvoiceRow } from '../rows.ts'

const target = prepare((db, p: { id: number }) =>
  db.selectFrom('invoices').select(['public_id', 'kind', 'total_cents']).where('id', '=', p.id),
)

const naming = prepare((db, p: { targetId: number }) =>
  db
    .selectFrom('invoice_references')
    .innerJoin('invoices', 'invoices.id', 'invoice_references.invoice_id')
    .select([
      'invoice_references.role',
      'invoices.public_id',
      'invoices.number',
      'invoices.issue_date',
      'invoices.kind',
      'invoices.total_cents',
    ])
    .where('invoice_references.target_id', '=', p.targetId)
    .where('invoices.state', '=', 'issued')
    .where('invoices.cancelled_at', 'is', null)
    .orderBy('invoices.id'),
)

async function named(ctx: Ctx, reference: InvoiceReferenceFacts): Promise<InvoiceReference> {
  const { number, issueDate, targetId } = reference
  const row = targetId === null ? undefined : await target.first(ctx.db, { id: targetId })
  if (!row) return { number, issueDate }
  return { id: row.public_id, number, issueDate, kind: row.kind, total: eurosFromCents(row.total_cents) }
}

/** The four lists of an invoice's answer, and what its rectifications left of it; annulled invoices and drafts name nobody. */
export async function referenceViews(
  ctx: Ctx,
  row: InvoiceRow,
  content: DraftContent,
): Promise<Pick<Invoice, 'rectifies' | 'rectifiedBy' | 'rectified' | 'substitutes' | 'substitutedBy'>> {
  const lists = {
    rectified: 'no' as Invoice['rectified'],
    rectifies: [] as InvoiceReference[],
    rectifiedBy: [] as InvoiceReference[],
    substitutes: [] as InvoiceReference[],
    substitutedBy: [] as InvoiceReference[],
  }
  for (const reference of content.references) lists[reference.role].push(await named(ctx, reference))
  if (!row.is_named) return lists
  for (const other of await naming.all(ctx.db, { targetId: row.id })) {
    const list = other.role === 'rectifies' ? lists.rectifiedBy : lists.substitutedBy
    list.push({
      id: other.public_id,
      number: other.number ?? '',
      issueDate: other.issue_date ?? '',
      kind: other.kind,
      total: eurosFromCents(other.total_cents),
    })
  }
  if (lists.rectifiedBy.length > 0) lists.rectified = rectifiedState(await familyOf(ctx, row.id))
  return lists
}
