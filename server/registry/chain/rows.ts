/**
 * SQL of the chain and its records, which never change. The state of each record with the authority is in
 * queue/rows.ts.
 */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { severalCompanies } from '../../db/engine-sql.ts'
import type { CancellationTurn, RegistrationTurn } from '../facts.ts'
import type { Predecessor } from '../system.ts'

type RecordKind = 'registration' | 'cancellation'

const chain = prepare((db, p: { bookId: number }) =>
  db.selectFrom('registry_chains').selectAll().where('book_id', '=', p.bookId),
)

export type ChainRow = NonNullable<Awaited<ReturnType<typeof chain.first>>>

/** Returns the chain of the book. Every book has one from the start. */
export async function findChain(ctx: Ctx): Promise<ChainRow> {
  const row = await chain.first(ctx.db, { bookId: ctx.book.id })
  if (!row) throw new Error(`Book ${ctx.book.publicId} has no chain.`)
  return row
}

const chainState = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('registry_chains')
    .innerJoin('registry_flows', 'registry_flows.book_id', 'registry_chains.book_id')
    .selectAll('registry_chains')
    .select([
      'registry_flows.wait_seconds',
      'registry_flows.last_sent_at',
      'registry_flows.next_attempt_at',
      'registry_flows.stopped',
      'registry_flows.skew_ms',
      'registry_flows.skew_at',
      'registry_flows.skew_accepted_ms',
    ])
    // Few books have one: only then is it worth asking in which series.
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('registry_submissions')
            .select('registry_submissions.record_id')
            .where('registry_submissions.book_id', '=', p.bookId)
            .where(sql<SqlBool>`registry_submissions.conflict = 1`)
            .where('registry_submissions.closed', '=', 0),
        )
        .$castTo<0 | 1>()
        .as('has_conflict'),
    )
    // Each record states whether the program issues for several companies at that moment.
    .select(severalCompanies.as('several_companies'))
    .where('registry_chains.book_id', '=', p.bookId),
)

/** What decides about the next record: the chain, the pace of its queue, the clocks, and open conflicts. */
export type ChainState = NonNullable<Awaited<ReturnType<typeof chainState.first>>>

/** Returns the state of the book's chain. */
export async function findChainState(ctx: Ctx): Promise<ChainState> {
  const row = await chainState.first(ctx.db, { bookId: ctx.book.id })
  if (!row) throw new Error(`Book ${ctx.book.publicId} has no chain.`)
  return row
}

/** Returns the last link of the installation's chain, or null before its first record. */
export function headOf(row: ChainRow): Predecessor | null {
  if (!row.head_hash || !row.head_issuer_nif || !row.head_number || !row.head_issue_date) return null
  const hash = hexOf(row.head_hash)
  return {
    issuerNif: row.head_issuer_nif,
    number: row.head_number,
    issueDate: row.head_issue_date,
    hash,
    link: row.head_link ?? hash,
  }
}

/** Formats a hash as the registry writes it: 64 upper-case hex characters. */
export function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex').toUpperCase()
}

interface HeadValues {
  bookId: number
  sequence: number
  hash: Uint8Array
  /** False: the next record follows the link before this one. */
  isLink: boolean
  /** What the next record names; null: the hash. */
  link: string | null
  issuerNif: string
  number: string
  issueDate: string
  generatedAt: number
}

/** Counts a record that is no link: the head stays, and the clock goes on. */
const count = prepare((db, p: HeadValues & { before: number }) =>
  db
    .updateTable('registry_chains')
    .set({ records: p.sequence, head_generated_at: p.generatedAt })
    .where('book_id', '=', p.bookId)
    .where('records', '=', p.before),
)

const advance = prepare((db, p: HeadValues & { before: number }) =>
  db
    .updateTable('registry_chains')
    .set({
      records: p.sequence,
      head_hash: p.hash,
      head_link: p.link,
      head_issuer_nif: p.issuerNif,
      head_number: p.number,
      head_issue_date: p.issueDate,
      head_generated_at: p.generatedAt,
    })
    .where('book_id', '=', p.bookId)
    .where('records', '=', p.before),
)

interface RecordValues {
  bookId: number
  sequence: number
  kind: RecordKind
  turn: RegistrationTurn | CancellationTurn
  invoiceId: number
  hash: Uint8Array
  link: string | null
  generatedAt: number
  xml: Uint8Array
}

const insertRecord = prepare((db, p: RecordValues) =>
  db.insertInto('registry_records').values({
    book_id: p.bookId,
    sequence: p.sequence,
    kind: p.kind,
    turn: p.turn,
    invoice_id: p.invoiceId,
    hash: p.hash,
    link: p.link,
    generated_at: p.generatedAt,
    xml: p.xml,
  }),
)

const bySequence = prepare((db, p: { bookId: number; sequence: number }) =>
  db
    .selectFrom('registry_records')
    .select('id')
    .where('book_id', '=', p.bookId)
    .where('sequence', '=', p.sequence),
)

const insertSubmission = prepare((db, p: { bookId: number; sequence: number }) =>
  db
    .insertInto('registry_submissions')
    .columns(['record_id', 'book_id', 'status'])
    .expression((eb) =>
      eb
        .selectFrom('registry_records')
        .select(['id', 'book_id', eb.val('pending').as('status')])
        .where('book_id', '=', p.bookId)
        .where('sequence', '=', p.sequence),
    ),
)

interface NewRecord extends HeadValues {
  kind: RecordKind
  turn: RegistrationTurn | CancellationTurn
  invoiceId: number
  xml: Uint8Array
}

const closeEarlier = prepare((db, p: { invoiceId: number }) =>
  db
    .updateTable('registry_submissions')
    .set({ closed: 1 })
    .where('closed', '=', 0)
    .where('record_id', 'in', (eb) =>
      eb.selectFrom('registry_records').select('id').where('invoice_id', '=', p.invoiceId),
    ),
)

/**
 * Appends a record to the chain and queues it; earlier records of the invoice no longer need attention. The
 * transaction fails if the chain moved meanwhile.
 */
export async function addRecord(ctx: Ctx, record: NewRecord): Promise<void> {
  const statement = record.isLink ? advance : count
  await statement.changeOne(
    ctx.db,
    { ...record, before: record.sequence - 1 },
    () => new Error('The chain moved while a record was made.'),
  )
  if (record.turn !== 'first' || record.kind === 'cancellation')
    await closeEarlier.run(ctx.db, { invoiceId: record.invoiceId })
  await insertRecord.changeOne(ctx.db, record, () => new Error('The record was not added.'))
  await insertSubmission.later(ctx.db, { bookId: record.bookId, sequence: record.sequence })
}

const firstText = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('registry_records')
    .select('xml')
    .where('invoice_id', '=', p.invoiceId)
    .where('kind', '=', 'registration')
    .orderBy('id')
    .limit(1),
)

/** Returns the packed text of an invoice's first registration; null if it has none. */
export async function firstTextOf(ctx: Ctx, invoiceId: number): Promise<Uint8Array | null> {
  return (await firstText.first(ctx.db, { invoiceId }))?.xml ?? null
}

/** Returns the row of the book's record with a sequence number. */
export async function recordRowId(ctx: Ctx, sequence: number): Promise<number> {
  const row = await bySequence.first(ctx.db, { bookId: ctx.book.id, sequence })
  if (!row) throw new Error(`Record ${sequence} is missing.`)
  return row.id
}

const byInvoice = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .leftJoin('registry_batches', 'registry_batches.id', 'registry_submissions.batch_id')
    .leftJoin('registry_records as before', (join) =>
      join
        .onRef('before.book_id', '=', 'registry_records.book_id')
        .on('before.sequence', '=', sql<number>`registry_records.sequence - 1`),
    )
    .leftJoin('invoice_amendments', 'invoice_amendments.record_id', 'registry_records.id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .innerJoin('parties', 'parties.id', 'invoices.issuer_id')
    .select([
      'parties.nif as issuer_nif',
      'parties.name as issuer_name',
      // ImporteTotal counts the cost under a margin scheme, and no other country's tax.
      sql<number>`cast(coalesce((select sum(invoice_taxes.outside_cents) from invoice_taxes
        where invoice_taxes.invoice_id = invoices.id and invoice_taxes.regime_key in ('03', '05')), 0) as bigint)`.as(
        'margin_cost_cents',
      ),
      'invoices.number',
      'invoices.issue_date',
      'invoices.base_cents',
      'invoices.tax_cents',
      'registry_records.id',
      'registry_records.book_id',
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.turn',
      'registry_records.hash',
      'registry_records.link',
      'registry_records.generated_at',
      'registry_records.xml',
      'registry_submissions.status',
      'registry_submissions.attempts',
      'registry_submissions.answered_at',
      'registry_submissions.csv',
      'registry_submissions.csv_lost',
      'registry_submissions.authority_code',
      'registry_submissions.message',
      'registry_submissions.held_state',
      'registry_submissions.conflict',
      'registry_submissions.closed',
      'invoice_amendments.changes',
      'registry_batches.started_at as sent_at',
      'before.hash as previous_hash',
    ])
    .where('registry_records.invoice_id', '=', p.invoiceId)
    .orderBy('registry_records.sequence'),
)

export type RecordRow = Awaited<ReturnType<typeof byInvoice.all>>[number]

/** Returns the records of an invoice, oldest first. */
export function recordsOfInvoice(ctx: Ctx, invoiceId: number): Promise<RecordRow[]> {
  return byInvoice.all(ctx.db, { invoiceId })
}

const latest = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .leftJoin('registry_batches', 'registry_batches.id', 'registry_submissions.batch_id')
    .leftJoin('registry_records as before', (join) =>
      join
        .onRef('before.book_id', '=', 'registry_records.book_id')
        .on('before.sequence', '=', sql<number>`registry_records.sequence - 1`),
    )
    .select([
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.hash',
      'registry_submissions.status',
      'registry_submissions.answered_at',
      'registry_submissions.csv',
      'registry_submissions.authority_code',
      'registry_submissions.message',
      'registry_submissions.conflict',
      'registry_submissions.closed',
      'registry_batches.started_at as sent_at',
      'before.hash as previous_hash',
    ])
    // What is printed follows from the first record, whatever came after it.
    .select((eb) => [
      eb
        .selectFrom('registry_records as first')
        .select('first.link')
        .where('first.invoice_id', '=', p.invoiceId)
        .orderBy('first.id')
        .limit(1)
        .as('first_link'),
    ])
    .where('registry_records.invoice_id', '=', p.invoiceId)
    // Rows are created in the order of their sequence, and the index has this order.
    .orderBy('registry_records.id', 'desc')
    .limit(1),
)

/** Returns the last record of an invoice, without its text. */
export function latestRecord(ctx: Ctx, invoiceId: number): Promise<Awaited<ReturnType<typeof latest.first>>> {
  return latest.first(ctx.db, { invoiceId })
}

const idByPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('invoices').select('id').where('public_id', '=', p.publicId).where('book_id', '=', p.bookId),
)
const idByNumber = prepare((db, p: { bookId: number; code: string; sequence: number; number: string }) =>
  db
    .selectFrom('series')
    .innerJoin('invoices', (join) =>
      join.onRef('invoices.series_id', '=', 'series.id').on('invoices.sequence', '=', p.sequence),
    )
    .select('invoices.id')
    .where('series.book_id', '=', p.bookId)
    .where('series.code', '=', p.code)
    .where('invoices.number', '=', p.number),
)

/** Returns the row identifier of the invoice with an identifier or a number. */
export async function invoiceRowId(ctx: Ctx, idOrNumber: string): Promise<number | undefined> {
  const bookId = ctx.book.id
  const byId = await idByPublicId.first(ctx.db, { bookId, publicId: idOrNumber })
  const match = /^(.+)-(\d{1,9})$/.exec(idOrNumber)
  if (byId || !match) return byId?.id
  return (
    await idByNumber.first(ctx.db, {
      bookId,
      code: match[1] ?? '',
      sequence: Number(match[2]),
      number: idOrNumber,
    })
  )?.id
}
