/** Sealed values of the certificates, for a change of the key. */
import type { SealedColumn } from '../../db/sealed-columns.ts'
import { keySealContext } from './credential.ts'

export const SEALED_CERTIFICATE_KEYS: SealedColumn = {
  table: 'certificates',
  column: 'sealed_key',
  key: ['public_id'],
  reads: ['company_id'],
  place: ({ public_id, company_id }) => keySealContext(String(public_id), Number(company_id)),
}
