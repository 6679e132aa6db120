/** Sealed replies, for a change of the database key. */
import type { SealedColumn } from '../../db/sealed-columns.ts'
import { sealContextOf } from './replies.ts'

export const SEALED_REPLIES: SealedColumn = {
  table: 'idempotency_keys',
  column: 'reply',
  key: ['scope', 'idempotency_key'],
  rows: 'sealed = 1',
  place: ({ scope, idempotency_key }) => sealContextOf(String(scope), String(idempotency_key)),
}
