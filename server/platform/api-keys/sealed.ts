/** Sealed values of the API keys, for a change of the database key. */
import type { SealedColumn } from '../../db/sealed-columns.ts'
import { factsSealContext } from './seals.ts'

export const SEALED_KEY_FACTS: SealedColumn = {
  table: 'api_keys',
  column: 'facts_seal',
  key: ['public_id'],
  place: ({ public_id }) => factsSealContext(String(public_id)),
}
