/** Lists invoices of the accounting system. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import { eurosFromCents, numberFromMicro, percentFromBasisPoints } from '../../../domain/money.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { receptionNumber } from '../../../purchases/invoices/index.ts'
import { cursorPage, inOrder } from '../../../db/ordered-rows.ts'
import type { RowOrder } from '../../../db/ordered-rows.ts'
import { prepare } from '../../../db/query.ts'
import type { ErpDocumentsTable } from '../../../db/schema.ts'
import { matchesSearch } from '../../../db/text-search.ts'
import type { NeutralDocument } from '../port.ts'
import type {
  ErpDocument,
  getErpDocumentContract,
  listErpDocumentsContract,
  windowErpDocumentsContract,
} from './contract.ts'
import { shownConnection } from '../connection/rows.ts'
import type { ConnectionRow } from '../connection/rows.ts'

type DocumentRow = Selectable<ErpDocumentsTable>

const DEFAULT_LIMIT = 25
const DEFAULT_STRETCH = 50

/**
 * The same received invoice, entered here: same number and year, and a supplier with the same tax number or copied
 * from there, because a foreign one has no tax number here.
 */
const SAME_RECEIVED = sql<number>`(select received_invoices.id from received_invoices
  where received_invoices.book_id = erp_connections.book_id and received_invoices.state = 'entered'
    and received_invoices.number_key = erp_documents.number_key and erp_documents.number_key <> ''
    and (received_invoices.supplier_nif = erp_documents.party_tax_id
      or received_invoices.external_ref = erp_documents.external_id)
    and substr(received_invoices.issue_date, 1, 4) = substr(erp_documents.list_date, 1, 4)
  order by received_invoices.id limit 1)`

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('erp_documents')
    .innerJoin('erp_connections', 'erp_connections.id', 'erp_documents.connection_id')
    .selectAll('erp_documents')
    .where('erp_connections.book_id', '=', p.bookId)
    .where('erp_documents.public_id', '=', p.publicId),
)

/** Returns a document of the book's connections. Throws `not_found`. */
export async function findDocument(ctx: Ctx, publicId: string): Promise<DocumentRow> {
  return orNotFound(await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

export function neutralOf(row: Pick<DocumentRow, 'record'>): NeutralDocument {
  return JSON.parse(row.record) as NeutralDocument
}

const invoiceOf = prepare((db, p: { id: number }) =>
  db
    .selectFrom('invoices')
    .leftJoin('series', 'series.id', 'invoices.series_id')
    .select(['invoices.public_id', 'invoices.sequence', 'invoices.state', 'series.code'])
    .where('invoices.id', '=', p.id),
)

const sameReceived = prepare((db, p: { id: number }) =>
  db
    .selectFrom('erp_documents')
    .innerJoin('erp_connections', 'erp_connections.id', 'erp_documents.connection_id')
    .innerJoin('received_invoices', (join) =>
      join
        .onRef('received_invoices.book_id', '=', 'erp_connections.book_id')
        .onRef('received_invoices.number_key', '=', 'erp_documents.number_key')
        .on((eb) =>
          eb.or([
            eb('received_invoices.supplier_nif', '=', eb.ref('erp_documents.party_tax_id')),
            eb('received_invoices.external_ref', '=', eb.ref('erp_documents.external_id')),
          ]),
        ),
    )
    .select(['received_invoices.public_id', 'received_invoices.year', 'received_invoices.sequence'])
    .where('erp_documents.id', '=', p.id)
    .where('erp_documents.number_key', '<>', '')
    .where('received_invoices.state', '=', 'entered')
    .where(sql<SqlBool>`substr(received_invoices.issue_date, 1, 4) = substr(erp_documents.list_date, 1, 4)`)
    .orderBy('received_invoices.id')
    .limit(1),
)

async function hereOf(ctx: Ctx, row: DocumentRow): Promise<ErpDocument['here']> {
  if (row.invoice_id !== null) {
    const invoice = await invoiceOf.first(ctx.db, { id: row.invoice_id })
    if (!invoice) return null
    const { code, sequence } = invoice
    const label = code !== null && sequence !== null ? `${code}-${String(sequence).padStart(4, '0')}` : ''
    return { type: 'invoice', id: invoice.public_id, label }
  }
  if (row.side === 'issued' || row.number_key === '') return null
  const same = await sameReceived.first(ctx.db, { id: row.id })
  return same
    ? { type: 'received', id: same.public_id, label: receptionNumber(same.year, same.sequence) }
    : null
}

async function documentView(ctx: Ctx, row: DocumentRow): Promise<ErpDocument> {
  const record = neutralOf(row)
  const money = eurosFromCents
  return {
    id: row.public_id,
    externalId: row.external_id,
    externalKind: row.external_kind,
    side: row.side,
    kind: row.doc_kind,
    number: row.number,
    issueDate: record.issueDate,
    dueDate: row.due_date,
    partyName: row.party_name,
    partyTaxId: row.party_tax_id,
    currency: row.currency,
    net: money(record.netCents),
    tax: money(record.taxCents),
    surcharge: money(record.surchargeCents),
    withholding: money(record.withholdingCents),
    total: money(record.totalCents),
    pending: record.pendingCents === null ? null : money(record.pendingCents),
    totalEuros: row.eur_total_cents === null ? null : money(row.eur_total_cents),
    state: row.state,
    payment: row.payment_state,
    amountCheck: row.amount_check,
    missingSince: row.missing_since === null ? null : new Date(row.missing_since).toISOString(),
    changedAt: new Date(row.changed_at).toISOString(),
    here: await hereOf(ctx, row),
    warnings: [...record.warnings],
    untrusted: true,
  }
}

async function documentViews(ctx: Ctx, rows: readonly DocumentRow[]): Promise<ErpDocument[]> {
  const views: ErpDocument[] = []
  for (const row of rows) views.push(await documentView(ctx, row))
  return views
}

type Filter = Pick<
  ContractInput<typeof listErpDocumentsContract>,
  'side' | 'state' | 'from' | 'to' | 'text' | 'missing' | 'here'
>

function filtered(ctx: Ctx, connection: ConnectionRow, filter: Filter) {
  let query = ctx.db
    .selectFrom('erp_documents')
    .innerJoin('erp_connections', 'erp_connections.id', 'erp_documents.connection_id')
    .where('erp_documents.connection_id', '=', connection.id)
    .where('erp_documents.side', '=', filter.side)
  if (filter.state !== undefined) query = query.where('erp_documents.state', '=', filter.state)
  if (filter.from !== undefined) query = query.where('erp_documents.list_date', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('erp_documents.list_date', '<=', filter.to)
  if (filter.missing !== undefined)
    query = query.where('erp_documents.missing_since', filter.missing ? 'is not' : 'is', null)
  if (filter.here !== undefined) {
    const known =
      filter.side === 'issued'
        ? sql<SqlBool>`invoice_id is not null`
        : sql<SqlBool>`${SAME_RECEIVED} is not null`
    query = query.where(filter.here ? known : sql<SqlBool>`not (${known})`)
  }
  if (filter.text !== undefined)
    query = query.where(matchesSearch(sql.ref('erp_documents.search'), filter.text))
  return query
}

type Totals = NonNullable<ContractOutput<typeof listErpDocumentsContract>['totals']>
const NOTHING: Totals = { count: 0, net: 0, tax: 0, total: 0, withoutRate: 0 }

async function totalsOf(ctx: Ctx, connection: ConnectionRow, filter: Filter): Promise<Totals> {
  const counts = sql`erp_documents.state = 'approved' and erp_documents.missing_since is null`
  const row = await filtered(ctx, connection, filter)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(case when ${counts} then eur_net_cents end), 0)`.as('net'),
      sql<number>`coalesce(sum(case when ${counts} then eur_tax_cents end), 0)`.as('tax'),
      sql<number>`coalesce(sum(case when ${counts} then eur_total_cents end), 0)`.as('total'),
      sql<number>`count(*) filter (where ${counts} and eur_total_cents is null)`.as('withoutRate'),
    ])
    .executeTakeFirstOrThrow()
  return {
    count: row.count,
    net: eurosFromCents(row.net),
    tax: eurosFromCents(row.tax),
    total: eurosFromCents(row.total),
    withoutRate: row.withoutRate,
  }
}

const NEWEST_FIRST: RowOrder<DocumentRow> = {
  columns: ['erp_documents.list_date', 'erp_documents.id'],
  descending: true,
  position: (row) => [row.list_date, row.id],
}

/** Returns documents of one side, newest first, with a cursor. */
export const listErpDocuments: UseCase<typeof listErpDocumentsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor, totals, connectionId, ...filter },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], nextCursor: null, ...(totals ? { totals: NOTHING } : {}) }
  const bound = { ...filter, connection: connection.public_id }
  const query = filtered(ctx, connection, filter).selectAll('erp_documents')
  const { rows, nextCursor } = await cursorPage(query, NEWEST_FIRST, {
    list: 'erp.documents',
    bound,
    cursor,
    limit,
  })
  return {
    items: await documentViews(ctx, rows),
    nextCursor,
    ...(totals ? { totals: await totalsOf(ctx, connection, filter) } : {}),
  }
}

/** Returns a range of the same list by position, for the window. */
export const windowErpDocuments: UseCase<typeof windowErpDocumentsContract> = async (
  ctx,
  { offset = 0, limit = DEFAULT_STRETCH, summary, connectionId, ...filter },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], offset, ...(summary ? { totals: NOTHING } : {}) }
  const query = filtered(ctx, connection, filter).selectAll('erp_documents')
  const rows = await inOrder(query, NEWEST_FIRST).limit(limit).offset(offset).execute()
  return {
    items: await documentViews(ctx, rows),
    offset,
    ...(summary ? { totals: await totalsOf(ctx, connection, filter) } : {}),
  }
}

const linkedContact = prepare((db, p: { connectionId: number; externalId: string }) =>
  db
    .selectFrom('erp_contacts')
    .innerJoin('contacts', 'contacts.id', 'erp_contacts.contact_id')
    .select([
      'contacts.id',
      'contacts.public_id',
      'contacts.name',
      'contacts.blocked_at',
      'contacts.merged_into',
    ])
    .where('erp_contacts.connection_id', '=', p.connectionId)
    .where('erp_contacts.external_id', '=', p.externalId)
    .limit(1),
)

/** Returns the contact here to which a person linked the document's party; null without one. */
export async function contactOfDocument(
  ctx: Ctx,
  row: DocumentRow,
): Promise<{ id: string; name: string } | null> {
  if (row.party_external_id === null) return null
  const contact = await linkedContact.first(ctx.db, {
    connectionId: row.connection_id,
    externalId: row.party_external_id,
  })
  return contact && contact.blocked_at === null && contact.merged_into === null
    ? { id: contact.public_id, name: contact.name }
    : null
}

/** Returns one document with its lines. */
export const getErpDocument: UseCase<typeof getErpDocumentContract> = async (ctx, { id }) => {
  const row = await findDocument(ctx, id)
  const record = neutralOf(row)
  const percent = (bp: number | null) => (bp === null ? null : percentFromBasisPoints(bp))
  return {
    ...(await documentView(ctx, row)),
    description: record.description,
    fxRate: record.fxRate,
    paid: record.paidCents === null ? null : eurosFromCents(record.paidCents),
    contact: await contactOfDocument(ctx, row),
    lines: record.lines.map((line) => ({
      description: line.description,
      quantity: numberFromMicro(line.quantity),
      unitPrice: numberFromMicro(line.unitPrice),
      discountPct: percentFromBasisPoints(line.discountBp),
      vatRate: percent(line.vatBp),
      surchargeRate: percent(line.surchargeBp),
      withholdingRate: percent(line.withholdingBp),
      net: eurosFromCents(line.netCents),
    })),
  }
}
