/** The stored result of a run, which a second run with the same seed must reproduce. */
import type { Db } from '../../../server/db/query.ts'

/** Returns the rows of the most significant tables, each in order of creation. */
export function everythingKept(reader: Db): Promise<object[][]> {
  return Promise.all([
    reader
      .selectFrom('invoices')
      .select([
        'id',
        'public_id',
        'state',
        'number',
        'total_cents',
        'registry_status',
        'version',
        'created_at',
        'issued_at',
      ])
      .orderBy('id')
      .execute(),
    reader
      .selectFrom('registry_records')
      .select(['id', 'book_id', 'kind', 'turn', 'hash', 'generated_at'])
      .orderBy('id')
      .execute(),
    reader
      .selectFrom('registry_submissions')
      .select(['record_id', 'status', 'attempts', 'answered_at', 'csv', 'authority_code'])
      .orderBy('record_id')
      .execute(),
    reader.selectFrom('events').select(['id', 'book_id', 'type', 'at', 'data']).orderBy('id').execute(),
    reader
      .selectFrom('webhook_deliveries')
      .select(['id', 'public_id', 'state', 'attempts', 'next_at', 'settled_at', 'reason'])
      .orderBy('id')
      .execute(),
    reader
      .selectFrom('approvals')
      .select(['id', 'public_id', 'status', 'decided_at'])
      .orderBy('id')
      .execute(),
    reader.selectFrom('payments').selectAll().orderBy('id').execute(),
  ])
}
