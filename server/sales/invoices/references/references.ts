/**
 * Relations between invoices: which one rectifies or replaces which, and what is left of an invoice after its issued
 * rectifications. It only reads; the result is computed each time, because an issued invoice is never changed.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { documentTotals } from '../content.ts'
import type { DraftContent, InvoiceReferenceFacts } from '../content.ts'
import { ownStanding } from './standing.ts'
import type { Family } from './standing.ts'
import { contentOf, findInvoiceByRow } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

const referring = prepare((db, p: { targetId: number }) =>
  db
    .selectFrom('invoice_references')
    .innerJoin('invoices', 'invoices.id', 'invoice_references.invoice_id')
    .select([
      'invoice_references.role',
      'invoices.id',
      'invoices.public_id',
      'invoices.number',
      'invoices.state',
      'invoices.kind',
      'invoices.issue_date',
      'invoices.rectification_method',
      'invoices.total_cents',
      'invoices.cancelled_at',
    ])
    .where('invoice_references.target_id', '=', p.targetId)
    .orderBy('invoices.id'),
)

/** Invoice that names another one. */
type ReferringRow = Awaited<ReturnType<typeof referring.all>>[number]

/** True when it is issued and not annulled, so that it counts. */
export function isInForce(row: Pick<ReferringRow, 'state' | 'cancelled_at'>): boolean {
  return row.state === 'issued' && row.cancelled_at === null
}

/**
 * Reads the invoices that others name, and what names them, each once: for work that asks for the same ones again while
 * nothing of them changes.
 */
export class NamedInvoices {
  private readonly ctx: Ctx
  private readonly rows = new Map<number, Promise<InvoiceRow | undefined>>()
  private readonly contents = new Map<number, Promise<DraftContent>>()
  private readonly naming = new Map<number, Promise<ReferringRow[]>>()

  constructor(ctx: Ctx) {
    this.ctx = ctx
  }

  row(id: number): Promise<InvoiceRow | undefined> {
    return once(this.rows, id, () => findInvoiceByRow(this.ctx, id))
  }

  contentOf(row: InvoiceRow): Promise<DraftContent> {
    return once(this.contents, row.id, () => contentOf(this.ctx.db, row))
  }

  /** Returns the invoices that rectify or replace one, drafts and annulled ones included, oldest first. */
  async referringTo(targetId: number, role: 'rectifies' | 'substitutes'): Promise<ReferringRow[]> {
    const all = await once(this.naming, targetId, () => referring.all(this.ctx.db, { targetId }))
    return all.filter((row) => row.role === role)
  }
}

function once<T>(known: Map<number, Promise<T>>, id: number, read: () => Promise<T>): Promise<T> {
  let reading = known.get(id)
  if (!reading) known.set(id, (reading = read()))
  return reading
}

/** Returns the invoices that rectify or replace one, drafts and annulled ones included, oldest first. */
export function referringTo(
  ctx: Ctx,
  targetId: number,
  role: 'rectifies' | 'substitutes',
): Promise<ReferringRow[]> {
  return new NamedInvoices(ctx).referringTo(targetId, role)
}

const referringElsewhere = prepare(
  (db, p: { bookId: number; number: string; from: string; to: string; role: 'rectifies' | 'substitutes' }) =>
    db
      .selectFrom('invoice_references')
      .innerJoin('invoices', 'invoices.id', 'invoice_references.invoice_id')
      .select([
        'invoices.id',
        'invoices.public_id',
        'invoices.number',
        'invoices.state',
        'invoices.rectification_method',
        'invoices.total_cents',
        'invoices.cancelled_at',
      ])
      .where('invoice_references.target_id', 'is', null)
      .where(sql<string>`lower(invoice_references.number)`, '=', sql<string>`lower(${p.number})`)
      .where('invoice_references.issue_date', '>=', p.from)
      .where('invoice_references.issue_date', '<=', p.to)
      .where('invoice_references.role', '=', p.role)
      .where('invoices.book_id', '=', p.bookId)
      .orderBy('invoices.id'),
)

/**
 * Returns the invoices in force that name one of another program, by its number and the year of its date, oldest
 * first. `except`: row of an invoice to leave out.
 */
export async function activeReferrers(
  ctx: Ctx,
  reference: Pick<InvoiceReferenceFacts, 'number' | 'issueDate' | 'role'>,
  except: number | null,
) {
  const { number, issueDate, role } = reference
  const rows = await referringElsewhere.all(ctx.db, {
    bookId: ctx.book.id,
    number,
    from: `${issueDate.slice(0, 4)}-01-01`,
    to: `${issueDate.slice(0, 4)}-12-31`,
    role,
  })
  return rows.filter((row) => isInForce(row) && row.id !== except)
}

/** Depth limit of rectifications of rectifications; it prevents an endless loop in a damaged store. */
const MAX_DEPTH = 40

/**
 * Returns the invoice of a row with its rectifications in force and theirs. `except`: invoice to leave out with its
 * rectifications, to see the state before it.
 */
export function familyOf(
  ctx: Ctx,
  rowId: number,
  except: number | null = null,
  named = new NamedInvoices(ctx),
): Promise<Family> {
  return familyIn(named, rowId, except, 0)
}

async function familyIn(
  named: NamedInvoices,
  rowId: number,
  except: number | null,
  depth: number,
): Promise<Family> {
  const row = await named.row(rowId)
  if (!row) throw new Error(`Invoice ${rowId} is missing.`)
  const children: Family['children'] = []
  if (depth < MAX_DEPTH)
    for (const child of await named.referringTo(rowId, 'rectifies'))
      if (isInForce(child) && child.id !== except)
        children.push({
          ...(await familyIn(named, child.id, except, depth + 1)),
          method: child.rectification_method ?? 'I',
        })
  return {
    id: rowId,
    publicId: row.public_id,
    number: row.number ?? '',
    issueDate: row.issue_date ?? row.list_date,
    own: ownStanding(documentTotals(await named.contentOf(row))),
    children,
  }
}
