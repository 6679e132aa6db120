/** Sealed values of the webhooks, for a change of the database key. */
import type { SealedColumn } from '../../db/sealed-columns.ts'
import { secretSealContext } from './rows.ts'

const inColumn = (column: string): SealedColumn => ({
  table: 'webhooks',
  column,
  key: ['public_id'],
  reads: ['book_id'],
  place: ({ public_id, book_id }) =>
    secretSealContext({ public_id: String(public_id), book_id: Number(book_id) }),
})

export const SEALED_WEBHOOK_SECRETS: readonly SealedColumn[] = [
  inColumn('sealed_secret'),
  inColumn('sealed_previous'),
]
