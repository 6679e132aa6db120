/** Sealed values of the mail accounts, for a change of the key. */
import type { SealedColumn } from '../../db/sealed-columns.ts'
import { passwordSealContext } from './account.ts'

export const SEALED_MAIL_PASSWORDS: SealedColumn = {
  table: 'mail_accounts',
  column: 'sealed_password',
  key: ['company_id'],
  place: ({ company_id }) => passwordSealContext(Number(company_id)),
}
