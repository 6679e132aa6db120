/**
 * Figures about the queues and chains of one company, written beside its due work when a server has looked at them: the
 * figures of the office are sums of these, and nobody reads the rows of all companies.
 */
import { sql } from 'kysely'
import type { WorkFigures } from '../../../db/postgres/tables/due-work.ts'
import type { CompanyBooks } from '../../../platform/jobs/index.ts'
import type { OfficeWorkKind } from './handlers.ts'

const DAY_MS = 24 * 3_600_000

/** The queries by kind: since when the oldest thing waits, and how many there are. What failed is due again later. */
const QUERIES: Partial<Record<OfficeWorkKind, (now: number) => ReturnType<typeof sql<WorkFigures>>>> = {
  sender: () => sql<WorkFigures>`select min(record.generated_at) as since, count(*) as count, 0 as stopped
    from registry_submissions as submission
    join registry_records as record on record.id = submission.record_id
    join books as book on book.id = submission.book_id
    where submission.status in ('pending', 'sending', 'unknown') and book.mode = 'live'`,
  documents:
    () => sql<WorkFigures>`select min(coalesce(nullif(queue.next_attempt_at, 0), invoice.issued_at)) as since,
      count(*) as count, 0 as stopped
    from document_queue as queue join invoices as invoice on invoice.id = queue.invoice_id`,
  mail: () => sql<WorkFigures>`select min(coalesce(next_attempt_at, created_at)) as since, count(*) as count, 0 as stopped
    from mails where state in ('queued', 'sending')`,
  incoming:
    () => sql<WorkFigures>`select min(coalesce(due_at, received_at)) as since, count(*) as count, 0 as stopped
    from incoming_documents where state in ('queued', 'reading')`,
  webhooks:
    () => sql<WorkFigures>`select min(coalesce(next_at, created_at)) as since, count(*) as count, 0 as stopped
    from webhook_deliveries where state = 'due'`,
  // Chains that have not been proved for a day, and those whose books issue nothing.
  calendar: (now) => sql<WorkFigures>`select
      null::bigint as since,
      count(*) filter (where records > 0 and coalesce(verified_at, 0) < ${now - DAY_MS}) as count,
      count(*) filter (where broken_at is not null or held_for is not null) as stopped
    from registry_chains`,
}

/** Returns the figures of a kind of work of a company; null for kinds without any. */
export async function figuresOf(
  kind: OfficeWorkKind,
  { reader }: CompanyBooks,
  now: number,
): Promise<WorkFigures | null> {
  const query = QUERIES[kind]
  if (!query) return null
  const { rows } = await query(now).execute(reader)
  return rows[0] ?? null
}
