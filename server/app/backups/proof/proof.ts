/** The proof of the books themselves, in the thread that proves their copies: the server goes on answering. */
import { STORE_FILE } from '../../../db/keys/keyring.ts'
import type { BackupFaultReason } from '../contract.ts'
import { asBackupFault } from '../make/fault.ts'
import { inThread } from '../make/thread.ts'

/** As the database would say it, where it is about the file. */
const CODES: Partial<Record<BackupFaultReason, string>> = {
  differs: 'SQLITE_CORRUPT',
  disk_failed: 'SQLITE_IOERR',
  broken_chain: 'chain_broken',
}

/** For `proveBooks` of `openStore`: whole, and every chain proves itself. Throws an error with a `code`. */
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
