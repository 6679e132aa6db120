/** Recovery with the recovery code: from the typed text to the key of the books. Opens nothing by itself. */
import { existsSync } from 'node:fs'
import { AppError } from '../../../domain/errors/app-error.ts'
import { isKeyOf, readKeyring } from './keyring.ts'
import { readRecoveryCode, unwrapMasterKey } from './recovery-code.ts'
import { readRecoveryFile } from '../store.ts'

/** Returns the master key of the books in `folder`. Throws `store_missing`, `store_damaged` or `recovery_code_wrong`. */
export function keyFromCode(folder: string, typed: string): Buffer {
  const keyring = existsSync(folder) ? readKeyring(folder) : null
  if (!keyring) throw new AppError('store_missing', { details: { folder } })
  const wrapped = readRecoveryFile(folder)
  if (!wrapped) throw new AppError('recovery_code_wrong', { details: { why: 'no_code_was_kept' } })
  const code = readRecoveryCode(typed)
  const masterKey = code ? unwrapMasterKey(wrapped, code, keyring.storeId) : null
  if (!masterKey || !isKeyOf(keyring, masterKey)) throw new AppError('recovery_code_wrong')
  return masterKey
}
