/** Verifies the books themselves in the thread that verifies their copies, so that the server keeps answering. */
import { STORE_FILE } from '../../../db/embedded/keys/keyring.ts'
import type { BackupFaultReason } from '../contract.ts'
import { asBackupFault } from '../make/fault.ts'
import { inThread } from '../make/thread.ts'

/** Database error codes of faults that concern the file. */
const CODES: Partial<Record<BackupFaultReason, string>> = {
  differs: 'SQLITE_CORRUPT',
  disk_failed: 'SQLITE_IOERR',
  broken_chain: 'chain_broken',
}

/** Implements `proveBooks` of `openStore`: checks the integrity and every chain. Throws an error with a `code`. */
export async function proveBooks(books: { folder: string; masterKey: Buffer }): Promise<void> {
  const masterKey = Buffer.from(books.masterKey)
  try {
    await inThread({ kind: 'prove', from: books.folder, name: STORE_FILE, masterKey })
  } catch (error) {
    const fault = asBackupFault(error)
    throw Object.assign(new Error('The books do not prove themselves.', { cause: fault }), {
      code: CODES[fault.why] ?? 'unproved',
    })
  }
}
