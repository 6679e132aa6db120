/** Sealed values of the connections to accounting systems, for a change of the key. */
import type { SealedColumn } from '../../db/sealed-columns.ts'
import { keySealContext } from './connection/rows.ts'

export const SEALED_ERP_KEYS: SealedColumn = {
  table: 'erp_connections',
  column: 'sealed_key',
  key: ['public_id'],
  reads: ['book_id'],
  place: ({ public_id, book_id }) => keySealContext(String(public_id), Number(book_id)),
}
