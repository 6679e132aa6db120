/** Verifies the data around the records: each one is in the queue, can leave it, and was counted once. */
import { sql } from 'kysely'
import { FAULTS_LISTED, combineProofs, proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import { findCompany } from '../../company/index.ts'
import type { Ctx } from '../../context.ts'
import { isUnsettled, mayHaveArrived } from './rows.ts'
import type { Reading, RegistryWire, SentMessage, SentRecord } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { unpackXml } from '../systems/packing.ts'
import { recordIdOf, taxpayerOf } from '../chain/append.ts'

/** Records read at once: a book may have more than fit into memory. */
const PAGE = 2_000
/** Stored replies in memory at a time. */
const REPLIES = 50

interface QueuedRecord {
  sequence: number
  record_book: number
  book_id: number | null
  status: string | null
  attempts: number
  tried: number
  batch_id: number | null
  outcome: string | null
  answered_at: number | null
  csv: string | null
  csv_lost: number
  authority_code: string | null
}

function queueFault(row: QueuedRecord): string | null {
  const at = `Record ${row.sequence}`
  const { status } = row
  if (status === null) return `${at} is not in the queue.`
  if (row.book_id !== row.record_book) return `${at} is in the queue of another book.`
  if (row.attempts !== row.tried) return `${at}: ${row.attempts} attempts are said, ${row.tried} are kept.`
  // A start queries and settles these; any other record in `sending` would stay there for ever.
  if (status === 'sending' && row.batch_id === null) return `${at} is being sent in no message.`
  if (isUnsettled(status)) return row.answered_at === null ? null : `${at} is ${status} and was answered.`
  if (row.answered_at === null) return `${at} is ${status} and was not answered.`
  if (row.outcome === null) return `${at} is ${status} and was in no message.`
  if (status === 'rejected') return row.authority_code ? null : `${at} is rejected without a code.`
  return row.csv !== null || row.csv_lost === 1 ? null : `${at} is ${status} without a registration code.`
}

async function wrongCounts(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ status: string; said: number; found: number }>`
    select status, sum(said) as said, sum(found) as found from (
      select status, records as said, 0 as found from registry_counts where book_id = ${ctx.book.id}
      union all
      select status, 0, count(*) from registry_submissions
        where book_id = ${ctx.book.id} and status in ('accepted', 'accepted_with_errors', 'rejected') group by status) as counts
    group by status having sum(said) <> sum(found)`.execute(ctx.db)
  return rows.map(({ status, said, found }) => `${said} records are said to be ${status}, ${found} are.`)
}

/**
 * Verifies that every record is in the queue of its book once, in a state that leads on or with the answer that ended
 * it.
 */
export async function verifyQueue(ctx: Ctx): Promise<Proof> {
  const proofs: Proof[] = []
  let after = -1
  for (;;) {
    const { rows } = await sql<QueuedRecord>`
      select r.sequence, r.book_id as record_book, s.book_id, s.status, s.attempts, s.batch_id, b.outcome, s.answered_at,
        s.csv, s.csv_lost, s.authority_code,
        (select count(*) from registry_attempts a where a.record_id = r.id) as tried
      from registry_records r left join registry_submissions s on s.record_id = r.id
        left join registry_batches b on b.id = s.batch_id
      where r.book_id = ${ctx.book.id} and r.sequence > ${after} order by r.sequence limit ${PAGE}`.execute(
      ctx.db,
    )
    proofs.push(proveRows(rows, queueFault))
    after = rows.at(-1)?.sequence ?? after
    if (rows.length < PAGE) break
  }
  return combineProofs(...proofs, { checked: 0, faults: await wrongCounts(ctx) })
}

/** Verifies that the current chain is that of the newest installation of this book. */
export async function verifyInstallations(ctx: Ctx): Promise<Proof> {
  const { rows } = await sql<{ installation: string; first: number; records: number; newest: string | null }>`
    select c.installation, c.first_sequence as first, c.records,
      (select i.installation from registry_installations i where i.book_id = c.book_id and i.installation = c.installation
        and i.first_sequence = c.first_sequence and i.first_sequence =
          (select max(first_sequence) from registry_installations where book_id = c.book_id)) as newest
    from registry_chains c where c.book_id = ${ctx.book.id}`.execute(ctx.db)
  const [chain] = rows
  if (!chain) return { checked: 0, faults: ['The book has no chain.'] }
  return chain.newest === null
    ? { checked: 1, faults: [`Installation ${chain.installation} is not the one this book began last.`] }
    : { checked: 1, faults: [] }
}

/** Verifies that a live book has no rows of the simulated authority. */
export async function verifyAuthority(ctx: Ctx): Promise<Proof> {
  if (ctx.book.mode === 'test') return { checked: 0, faults: [] }
  const rows = await ctx.db
    .selectFrom('simulator_records')
    .select('number')
    .where('book_id', '=', ctx.book.id)
    .limit(FAULTS_LISTED)
    .execute()
  return proveRows(rows, ({ number }) => `${number} is held by the simulated authority.`)
}

/** Amounts of one registration of an invoice, character by character. */
interface RegisteredAmounts {
  sequence: number
  /** Creation time of the record, from its own text. */
  generatedAt: number
  taxTotal: string
  total: string
}

/**
 * Returns the amounts in each registration of an invoice, oldest first. Throws when a record cannot be read; the proof
 * of the chain reports that.
 */
export async function registeredAmounts(ctx: Ctx, invoiceRowId: number): Promise<RegisteredAmounts[]> {
  const rows = await ctx.db
    .selectFrom('registry_records')
    .select(['sequence', 'xml'])
    .where('invoice_id', '=', invoiceRowId)
    .where('kind', '=', 'registration')
    .orderBy('sequence')
    .execute()
  const system = systemOf(ctx.book)
  return rows.flatMap(({ sequence, xml }) => {
    const { amounts, generatedAt } = system.read(unpackXml(xml))
    return amounts ? [{ sequence, generatedAt: Date.parse(generatedAt), ...amounts }] : []
  })
}

interface SettledRecord {
  batch_id: number
  outcome: string
  reply: Uint8Array | null
  sequence: number
  status: string
  csv: string | null
  authority_code: string | null
}

type Answer = Extract<Reading, { kind: 'answer' }>

/** Returns the contradictions between one stored reply and the records that it settled. */
function replyFaults(reply: Answer, rows: readonly SettledRecord[]): string[] {
  const lines = new Map(reply.outcomes.map((line) => [line.recordRef, line]))
  return rows.flatMap(({ sequence, status, csv, authority_code }) => {
    const at = `Record ${sequence}`
    const line = lines.get(recordIdOf(sequence))
    if (csv !== null && csv !== reply.receipt)
      return [`${at} has the registration code ${csv}; the kept reply says ${reply.receipt ?? 'none'}.`]
    if (!line) return csv === null ? [] : [`${at} is not in the kept reply that settled it.`]
    // A code that came from a query, or a refusal that a later query explained, is in another exchange.
    if (csv !== null && line.state !== status)
      return [`${at} is ${status}; the kept reply says ${line.state}.`]
    if (status === 'rejected' && line.state === 'rejected' && line.code !== authority_code)
      return [
        `${at} was refused with ${authority_code ?? 'no code'}; the kept reply says ${line.code ?? 'none'}.`,
      ]
    return []
  })
}

/** Verifies that the stored replies of the authority match the stored code, state and cause of each record. */
export async function verifyReplies(ctx: Ctx): Promise<Proof> {
  const { wire } = systemOf(ctx.book)
  const issuer = taxpayerOf(await findCompany(ctx))
  const faults: string[] = []
  let checked = 0
  let after = 0
  for (;;) {
    const { rows: batches } = await sql<{ id: number; reply: Uint8Array | null }>`
      select id, reply from registry_batches where book_id = ${ctx.book.id} and kind = 'submission' and outcome = 'answered'
        and id > ${after} order by id limit ${REPLIES}`.execute(ctx.db)
    for (const { id, reply } of batches) {
      after = id
      checked += 1
      const records = wire.readsSent ? await sentIn(ctx, id) : []
      const read = readStored(wire, reply, { issuer, records })
      if (read === null) {
        faults.push(`The reply of exchange ${id} is missing or not the one that came.`)
        continue
      }
      const { rows } = await sql<SettledRecord>`
        select s.batch_id, r.sequence, s.status, s.csv, s.authority_code from registry_submissions s
          join registry_records r on r.id = s.record_id where s.batch_id = ${id}`.execute(ctx.db)
      faults.push(...replyFaults(read, rows))
    }
    if (batches.length < REPLIES) break
  }
  return { checked, faults: faults.slice(0, FAULTS_LISTED) }
}

/** Returns the records of an exchange, as they were when its answer was read. */
async function sentIn(ctx: Ctx, batchId: number): Promise<SentRecord[]> {
  const rows = await ctx.db
    .selectFrom('registry_attempts')
    .innerJoin('registry_records', 'registry_records.id', 'registry_attempts.record_id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select([
      'registry_records.id',
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.xml',
      'invoices.number',
    ])
    .where('registry_attempts.batch_id', '=', batchId)
    .orderBy('registry_records.sequence')
    .execute()
  const arrived = await mayHaveArrived(
    ctx,
    rows.map(({ id }) => id),
    batchId,
  )
  return rows.map((row) => ({
    recordId: recordIdOf(row.sequence),
    kind: row.kind,
    number: row.number ?? '',
    text: unpackXml(row.xml),
    mayHaveArrived: arrived.has(row.id),
  }))
}

function readStored(wire: RegistryWire, reply: Uint8Array | null, sent: SentMessage): Answer | null {
  try {
    const read = reply === null ? null : wire.read(unpackXml(reply), sent)
    return read?.kind === 'answer' ? read : null
  } catch {
    return null
  }
}
