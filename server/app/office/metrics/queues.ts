/** Figures about all companies of an office, read from their queues and chains. They name none. */
import { sql } from 'kysely'
import type { Db } from '../../../db/query.ts'

/** Age in seconds of the oldest thing in each queue that waits to be done; 0 if the queue is empty. */
interface QueueAges {
  registry: number
  documents: number
  mail: number
  webhooks: number
}

export interface OfficeFigures {
  ages: QueueAges
  /** Records of live books that have waited for the authority for more than an hour. */
  recordsUnsent: number
  /** Record chains that have not been proved for more than a day. */
  chainsUnproved: number
  /** Record chains that are broken or held: their books issue nothing. */
  chainsStopped: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Row {
  registry: number | null
  documents: number | null
  mail: number | null
  webhooks: number | null
  unsent: number
  unproved: number
  stopped: number
}

/** Reads the figures at a time. `reader` reads the whole installation. */
export async function readFigures(reader: Db, now: Date): Promise<OfficeFigures> {
  const at = now.getTime()
  // What was tried and failed is due again later; a queue stands still if that time has passed too.
  const { rows } = await sql<Row>`select
    (select min(record.generated_at) from registry_submissions as submission
      join registry_records as record on record.id = submission.record_id
      where submission.status in ('pending', 'sending', 'unknown')) as registry,
    (select min(coalesce(nullif(queue.next_attempt_at, 0), invoice.issued_at)) from document_queue as queue
      join invoices as invoice on invoice.id = queue.invoice_id) as documents,
    (select min(coalesce(next_attempt_at, created_at)) from mails where state in ('queued', 'sending')) as mail,
    (select min(coalesce(next_at, created_at)) from webhook_deliveries where state = 'due') as webhooks,
    (select count(*) from registry_submissions as submission
      join registry_records as record on record.id = submission.record_id
      join books as book on book.id = submission.book_id
      where submission.status in ('pending', 'sending', 'unknown')
        and book.mode = 'live' and record.generated_at < ${at - HOUR_MS}) as unsent,
    (select count(*) from registry_chains where records > 0
      and coalesce(verified_at, 0) < ${at - DAY_MS}) as unproved,
    (select count(*) from registry_chains where broken_at is not null or held_for is not null) as stopped`.execute(
    reader,
  )
  const [row] = rows
  if (!row) throw new Error('The figures of the office have no row.')
  const age = (since: number | null): number => (since === null ? 0 : Math.max(0, (at - since) / 1000))
  return {
    ages: {
      registry: age(row.registry),
      documents: age(row.documents),
      mail: age(row.mail),
      webhooks: age(row.webhooks),
    },
    recordsUnsent: row.unsent,
    chainsUnproved: row.unproved,
    chainsStopped: row.stopped,
  }
}
